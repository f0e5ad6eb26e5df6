"""Programs that look at how they were started: their output tells one start from another."""

PYTHON = [
    'print(1)',
    'import sys;print(sys.argv,sys.path,sys.orig_argv,sys.flags,__name__,__file__,sys.executable,sys.prefix)',
    'raise ValueError(3)',
    "import sys;sys.exit('x')",
    'import sys;sys.exit(3)',
    'import sys;sys.exit(None)',
    'import sys;sys.exit(2**40)',
    "import atexit;atexit.register(print,'bye');print('hi',end='')",
    'print(input())',
    "x=input('? ')",
    "import os;print(sorted(os.environ.items()));print(os.listdir('.'),os.getcwd(),os.listdir('"
    "/tmp'),os.listdir('/tmp/home'))",
    "import threading,time\ndef f():\n time.sleep(.2);print('t')\nthreading.Thread(target=f).start();print('m')",
    "import subprocess;print(subprocess.run(['echo','x'],capture_output=True));print(subprocess"
    ".run(['env'],capture_output=True).stdout)",
    "import multiprocessing as m\ndef f(x):return x*x\nif __name__=='__main__':\n  with m.Pool(2) "
    'as p:print(p.map(f,[1,2,3]))',
    'def f(:\n pass',
    'import nosuch',
    'import sitecustomize;print(sitecustomize)',
    "import sys;print('sitecustomize' in sys.modules, sys.modules['__main__'])",
    'import sys;print(sorted(sys.modules))',
    'import os;os.kill(os.getpid(),15)',
    'import signal,os;print(signal.getsignal(2));os.kill(os.getpid(),2)',
    'print(open(__file__).read())',
    "import sys;sys.stdout.write('é\\n');print(sys.stdout.encoding,sys.stdin.encoding,sys.getfilesystemencoding())",
    "import os;print(sorted(os.listdir('/proc/self/fd')));print(os.getpid(),os.getppid())",
    'import traceback;traceback.print_stack()',
    'import sys;print(sys._getframe().f_back)',
    'import json,re,random,datetime,asyncio\nasync def m():\n await asyncio.sleep(0.01);return 4\n'
    'print(asyncio.run(m()))',
    '1/0',
    'import resource;print([resource.getrlimit(i) for i in range(16)])',
    "import sys; sys.stderr.write('e'); sys.stdout.write('o'*100000)",
    "exec(open('/proc/self/status').read().split()[1] and 'print(2)')",
    "import warnings;warnings.warn('x')",
    'import os;os._exit(5)',
    'import pdb, sys; print(sys.getrecursionlimit(), sys.getswitchinterval(), sys.dont_write_bytecode)',
]

NODE = [
    'console.log(1)',
    'console.log(process.argv,process.execArgv,process.execPath,process.argv0,process.title)',
    'console.log(require.main===module,module.id,module.filename,module.paths,__filename,__dirn'
    'ame,module.parent,module.children)',
    "throw new Error('x')",
    'process.exit(3)',
    'process.exitCode=4',
    "Promise.reject(new Error('r'))",
    'console.log(process.env,process.cwd())',
    "process.stdin.on('data',d=>process.stdout.write(d));process.stdin.on('end',()=>console.log('end'))",
    "const fs=require('fs');console.log(fs.readFileSync(0,'utf8'));console.log(fs.readdirSync('"
    ".'),fs.readdirSync('/tmp'),fs.readdirSync('/tmp/home'))",
    "console.error('e');setTimeout(()=>console.log('t'),50)",
    "import('fs').then(f=>console.log(typeof f.readFileSync))",
    'let x = ;',
    "require('nosuch')",
    'console.log(Object.keys(require.cache))',
    "const c=require('child_process');console.log(c.execFileSync('env').toString().split('\\n')."
    "filter(l=>!l.startsWith('_=')).sort())",
    'console.log(process.execArgv, process.features, process.allowedNodeEnvironmentFlags.size)',
    "const {Worker,isMainThread}=require('worker_threads');if(isMainThread){new Worker(__filena"
    "me).on('exit',c=>console.log('w',c))}else console.log('in')",
    "process.kill(process.pid,'SIGTERM')",
    "if(process.argv[5]===undefined&&process.argv[2]!=='k'){const c=require('child_process');c."
    "fork(__filename,['k']);}else console.log('child',process.argv)",
    "console.log(new Error('s').stack)",
    "process.on('exit',c=>console.log('exit',c))",
    "console.log(require('os').cpus().length>0,require('os').hostname(),require('os').userInfo().username)",
    'console.log(process.stdout.isTTY,process.stdin.isTTY,process.stdout.writableLength,process'
    '.stdout.constructor.name)',
    "process.stdout.write('x'.repeat(200000))",
    'console.log(process.pid,process.ppid)',
    'console.log(global===globalThis,Object.keys(global),this===module.exports)',
    '(function f(){f()})()',
    "console.log(require('module').builtinModules.length, require('module')._cache===require.cache)",
    'console.log(process._preload_modules)',
]
