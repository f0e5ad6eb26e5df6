"""What deploy/ says, against the code and against itself."""

import re
import subprocess
import tomllib
import unittest

import yaml

from deploy.files import (DEPLOY, KUBERNETES, REPOSITORY, compose, container, daemons, documents, kubernetes, nodes_of,
                          pod, source, unit)
from support.process import program

# Of the daemon's start alone; its jailer keeps what machine.cc names.
ONLY_TO_START = {"DAC_OVERRIDE", "FOWNER", "MKNOD", "SETPCAP"}
# Of the auditor beside it in a container; the other it needs, DAC_OVERRIDE, is there.
OF_THE_AUDITOR = {"SYS_PTRACE"}


def needed_capabilities():
    listed = re.search(r"kNeeded\{([^}]*)\}", source("src/jailer/machine.cc")).group(1)
    return {name.strip().removeprefix("CAP_") for name in listed.split(",")} | ONLY_TO_START


class Rights(unittest.TestCase):
    def test_nothing_is_privileged(self):
        for name, tree in [("compose.yaml", compose()), *documents()]:
            for key, value in nodes_of(tree):
                if key in ("privileged", "hostPID", "hostNetwork", "hostIPC", "pid", "network_mode", "ipc"):
                    self.fail(f"{name}: {key}: {value}")

    def test_the_capabilities_are_the_same_everywhere(self):
        needed = needed_capabilities()
        for service in daemons().values():
            self.assertEqual(service["cap_drop"], ["ALL"])
            self.assertEqual(set(service["cap_add"]), needed | OF_THE_AUDITOR)
        capabilities = container()["securityContext"]["capabilities"]
        self.assertEqual(capabilities["drop"], ["ALL"])
        self.assertEqual(set(capabilities["add"]), needed | OF_THE_AUDITOR)
        self.assertEqual(set(unit()["CapabilityBoundingSet"].replace("CAP_", "").split()), needed)
        told = re.findall(r"^\| `CAP_([A-Z_]+)` \|", source("docs/deployment.md"), re.MULTILINE)
        self.assertEqual(set(told), needed)

    def test_each_daemon_has_its_auditor(self):
        command = ["/usr/lib/outrigger/audited.sh", "/usr/lib/outrigger/outriggerd"]
        pages = set()
        for service in daemons().values():
            self.assertEqual(service["command"], command)
            pages |= {port for port in service["ports"] if port.endswith(":9464")}
            self.assertTrue(all(port.startswith("127.0.0.1:") for port in service["ports"]))
        self.assertEqual(len(pages), len(daemons()))
        self.assertEqual(container()["args"], command)
        self.assertIn({"name": "metrics", "containerPort": 9464}, container()["ports"])

    def test_no_filter_stands_before_the_jails(self):
        for service in daemons().values():
            self.assertIn("seccomp:unconfined", service["security_opt"])
        self.assertEqual(container()["securityContext"]["seccompProfile"], {"type": "Unconfined"})

    def test_the_unit_sets_nothing_that_breaks_jails(self):
        text = (DEPLOY / "systemd/outriggerd.service").read_text(encoding="utf-8")
        told = text[text.index("# What must not be set"):text.index("[Install]")]
        forbidden = set(re.findall(r"\b([A-Z][A-Za-z]+)=", told))
        self.assertGreater(len(forbidden), 15)
        self.assertEqual(forbidden & set(unit()), set())

    def test_the_unit_gives_what_the_daemon_counts_on(self):
        settings = unit()
        for name, value in {"Delegate": "yes", "KillMode": "mixed", "Restart": "always", "OOMPolicy": "continue",
                            "RuntimeDirectory": "outrigger", "RuntimeDirectoryPreserve": "restart",
                            "StateDirectory": "outrigger"}.items():
            self.assertEqual(settings.get(name), value, name)

    def test_each_daemon_of_a_machine_has_a_name_ids_and_a_disk_of_its_own(self):
        services = list(daemons().values())
        names = {service["environment"]["OUTRIGGER_NODE"] for service in services}
        volumes = {service["volumes"][1] for service in services}
        bases = sorted(tomllib.loads((DEPLOY / service["volumes"][0].split(":")[0]).read_text())["jail"]["uid_base"]
                       for service in services)
        self.assertEqual(len(names), len(services))
        self.assertEqual(len(volumes), len(services))
        for one, next_one in zip(bases, bases[1:]):
            self.assertGreater(next_one - 1, one + 65_535, "the daemon's own id is the one before its jails'")


class Images(unittest.TestCase):
    def test_every_image_has_a_version(self):
        used = [service["image"] for service in compose()["services"].values()]
        for _, tree in documents():
            used += [value for key, value in nodes_of(tree) if key == "image"]
        used += re.findall(r"^ARG DEBIAN=(\S+)$", source("deploy/Dockerfile"), re.MULTILINE)
        self.assertGreaterEqual(len(used), 8)
        for image in used:
            self.assertRegex(image, r"^[a-z/.]+:\d+\.\d+")

    def test_both_know_the_same_versions(self):
        in_compose = {service["image"] for service in compose()["services"].values()}
        in_kubernetes = {value for _, tree in documents() for key, value in nodes_of(tree) if key == "image"}
        self.assertEqual(in_compose, in_kubernetes)

    def test_the_libraries_the_programs_load_are_listed(self):
        listed = set(re.findall(r"^([a-z][a-z0-9.+-]+) ", source("tools/packages/libraries.txt"), re.MULTILINE))
        listed |= {"libc6", "libgcc-s1"}  # every image has these
        for name in ("outriggerd", "outrigger", "crows-nest", "outrigger-jailer"):
            needed = re.findall(r"NEEDED.*\[([^\]]+)\]", self.run_quietly("readelf", "-d", program(name)))
            where = dict(re.findall(r"(\S+) => (\S+) ", self.run_quietly("ldd", program(name))))
            for library in needed:
                path = where.get(library, f"/lib64/{library}")
                real = self.run_quietly("readlink", "-f", path).strip()
                owner = self.run_quietly("dpkg", "-S", f"*/x86_64-linux-gnu/{real.rpartition('/')[2]}").split(":")[0]
                self.assertIn(owner, listed, f"{name} loads {library}")

    def test_the_image_gets_every_program(self):
        self.assertIn("for program in outriggerd outrigger crows-nest outrigger-jailer sandbox_init "
                      "python_host.so waiting_main.so;", source("deploy/Dockerfile"))

    @staticmethod
    def run_quietly(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


class Secrets(unittest.TestCase):
    def test_no_file_holds_one(self):
        for path in sorted(DEPLOY.rglob("*")):
            if not path.is_file() or DEPLOY / "secrets" in path.parents:
                continue
            text = path.read_text(encoding="utf-8")
            for password in re.findall(r"://[^\s:/@]*:([^\s@]+)@", text):
                self.assertRegex(password, r"^(REPLACE-ME|\$\(.*\))$", path)
            self.assertNotRegex(text, r"(?m)^\s*tokens\s*=\s*\[\s*\"", path)

    def test_the_template_is_one(self):
        template = yaml.safe_load((KUBERNETES / "secret.template.yaml").read_text(encoding="utf-8"))
        for value in template["stringData"].values():
            self.assertIn("REPLACE-ME", value)

    def test_the_script_makes_what_both_read(self):
        made = set(re.findall(r"^keep (\w+) ", source("deploy/make-secrets.sh"), re.MULTILINE))
        self.assertEqual(made, set(compose()["secrets"]))
        template = yaml.safe_load((KUBERNETES / "secret.template.yaml").read_text(encoding="utf-8"))
        self.assertEqual(made, set(template["stringData"]))
        read = {value["key"] for _, tree in documents() for key, value in nodes_of(tree) if key == "secretKeyRef"}
        self.assertLessEqual(read, made)

    def test_every_variable_is_one_the_daemon_reads(self):
        known = set(re.findall(r"\"(OUTRIGGER_[A-Z_]+)\"", source("src/config/apply_stores.cc") +
                               source("src/config/tokens.cc") + source("src/config/paths.cc")))
        given = {name for service in daemons().values() for name in service["environment"]}
        given |= {one["name"] for one in container()["env"]}
        self.assertLessEqual({name.removesuffix("_FILE") for name in given}, known)
        for name in known:
            self.assertIn(f"`{name}`", source("docs/configuration.md"))


class Times(unittest.TestCase):
    def test_nobody_kills_a_daemon_that_is_ending_in_order(self):
        daemon = source("src/outriggerd/daemon.cc")
        steps = [int(re.search(name + r"\{(\d+)\}", daemon).group(1)) for name in ("kDrain", "kSettle", "kWriteRows")]
        kill = int(re.search(r"kKillGrace\{([\d']+)\}", source("src/pool/pool_impl.cc")).group(1).replace("'", "")) / 1000
        callback = int(re.search(r"total_timeout\{([\d']+)\}",
                                 source("src/webhook/courier.h")).group(1).replace("'", "")) / 1000
        config = tomllib.loads(kubernetes("ConfigMap", "outriggerd")["data"]["config.toml"])
        grace = config["server"]["shutdown_grace_ms"] / 1000
        longest = grace + kill + callback + sum(steps)
        self.assertGreater(pod()["terminationGracePeriodSeconds"], longest)
        self.assertGreater(int(unit()["TimeoutStopSec"].removesuffix("s")), longest)
        for service in daemons().values():
            self.assertGreater(int(service["stop_grace_period"].removesuffix("s")), longest)

    def test_a_database_that_is_away_ends_no_daemon(self):
        open_routes = re.findall(r"\{\"([^\"]+)\", \"GET\", [^}]*true\}", source("src/api/routes.h"))
        liveness = container()["livenessProbe"]["httpGet"]["path"]
        self.assertIn(liveness, open_routes)
        self.assertNotEqual(liveness, "/health")
        self.assertEqual(container()["readinessProbe"]["httpGet"]["path"], "/health")


class Kubernetes(unittest.TestCase):
    def test_every_file_is_applied(self):
        resources = yaml.safe_load(source("deploy/kubernetes/kustomization.yaml"))["resources"]
        there = {path.name for path in KUBERNETES.glob("*.yaml")}
        self.assertEqual(set(resources), there - {"kustomization.yaml", "secret.template.yaml"})

    def test_every_selector_finds_its_pods(self):
        labels = [one["spec"]["template"]["metadata"]["labels"] for _, one in documents()
                  if one["kind"] in ("DaemonSet", "StatefulSet")]
        for _, one in documents():
            if one["kind"] == "Service":
                self.assertIn(one["spec"]["selector"], labels)
            if one["kind"] in ("DaemonSet", "StatefulSet"):
                self.assertIn(one["spec"]["selector"]["matchLabels"], labels)

    def test_every_object_is_in_the_namespace(self):
        for name, one in documents():
            if one["kind"] not in ("Namespace", "Kustomization"):
                self.assertEqual(one["metadata"]["namespace"], "outrigger", name)

    def test_every_mount_has_its_volume(self):
        for _, one in documents():
            if one["kind"] not in ("DaemonSet", "StatefulSet"):
                continue
            spec = one["spec"]["template"]["spec"]
            there = {volume["name"] for volume in spec.get("volumes", [])}
            there |= {claim["metadata"]["name"] for claim in one["spec"].get("volumeClaimTemplates", [])}
            for each in spec["containers"]:
                for mount in each["volumeMounts"]:
                    self.assertIn(mount["name"], there)

    def test_what_is_not_in_the_databases_survives_the_pod(self):
        config = tomllib.loads(kubernetes("ConfigMap", "outriggerd")["data"]["config.toml"])
        mount = next(one for one in container()["volumeMounts"] if one["mountPath"] == config["paths"]["lib_dir"])
        volume = next(one for one in pod()["volumes"] if one["name"] == mount["name"])
        self.assertIn("hostPath", volume)


class Configurations(unittest.TestCase):
    def check(self, text, name):
        file = REPOSITORY / "build" / f"deploy-test-{name}.toml"
        file.write_text(text, encoding="utf-8")
        self.addCleanup(file.unlink)
        command = [program("outriggerd"), "--check-config", "--config", str(file)]
        # Without tokens none of them may serve: they listen off the loopback.
        for tokens, status in (("one two", 0), ("", 1)):
            ended = subprocess.run(command, env={"OUTRIGGER_TOKENS": tokens}, capture_output=True, text=True, timeout=60)
            self.assertEqual(ended.returncode, status, ended.stderr)

    def test_the_daemon_takes_them(self):
        for path in sorted((DEPLOY / "compose").glob("*.toml")):
            self.check(path.read_text(encoding="utf-8"), path.stem)
        self.check(kubernetes("ConfigMap", "outriggerd")["data"]["config.toml"], "kubernetes")


if __name__ == "__main__":
    unittest.main()
