"""What attackers in Python share: they say in one word a line what came of each try. Every ESCAPED fails the run."""
import errno

refusals = 0


def name_of(error):
    return errno.errorcode.get(error.errno, str(error))


def tried(act, attempt):
    """Runs `attempt`, which raises OSError when it is refused; True when it was."""
    global refusals
    try:
        result = attempt()
    except OSError as error:
        refusals += 1
        print("refused", name_of(error), act, flush=True)
        return True
    print("ESCAPED", act, "->", repr(result)[:80], flush=True)
    return False


def expect(act, holds, seen=""):
    """States a fact that must hold; what was seen instead is the proof when it doesn't."""
    global refusals
    if holds:
        refusals += 1
        print("held", act, flush=True)
    else:
        print("ESCAPED", act, repr(seen)[:300], flush=True)


def done():
    print("refusals:", refusals, flush=True)
