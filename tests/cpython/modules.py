"""Which modules of CPython's `test` package are run, and which of their cases."""

# All of the package but what is of no use here, and why:
#   the network: test_socket, test_ssl, test_urllib*, test_http*, test_smtp*, test_ftplib, test_imaplib, test_poplib,
#     test_nntplib, test_telnetlib, test_xmlrpc, test_asyncore, test_epoll, test_asyncio's test_sendfile, test_ssl, …
#   a display, a terminal or another system: test_tk, test_idle, test_curses, test_winreg, test_msilib, …
#   a source tree or a compiler of CPython: test_gdb, test_tools, test_clinic, test_distutils, test_peg_generator, …
#   hours or gigabytes: test_bigmem, test_largefile, test_zipfile64, test_regrtest
# test_sqlite3 is not in Debian's package. Those that take longest come first, so that the rest fills up the time.
_NAMES = """
test_multiprocessing_spawn test_multiprocessing_forkserver test_multiprocessing_fork test_compileall
test_concurrent_futures test_signal test_io test_subprocess test_logging test_asyncio.test_tasks test_faulthandler
test_lzma test_selectors test_asyncio.test_subprocess test_poll test_threading test_source_encoding test_itertools
test_queue test___all__ test___future__ test__locale test__opcode test__osx_support test__xxsubinterpreters test_abc
test_abstract_numbers test_aifc test_argparse test_array test_ast test_asyncio.test_base_events
test_asyncio.test_context test_asyncio.test_events test_asyncio.test_futures test_asyncio.test_futures2
test_asyncio.test_locks test_asyncio.test_pep492 test_asyncio.test_protocols test_asyncio.test_queues
test_asyncio.test_runners test_asyncio.test_selector_events test_asyncio.test_server test_asyncio.test_sock_lowlevel
test_asyncio.test_streams test_asyncio.test_taskgroups test_asyncio.test_threads test_asyncio.test_timeouts
test_asyncio.test_transports test_asyncio.test_unix_events test_asyncio.test_waitfor test_atexit test_audioop
test_audit test_augassign test_base64 test_baseexception test_bdb test_binascii test_binop test_bisect test_bool
test_bufio test_builtin test_bytes test_bz2 test_c_locale_coercion test_calendar test_call test_cgi test_cgitb
test_charmapcodec test_class test_cmath test_cmd test_cmd_line test_cmd_line_script test_code test_code_module
test_codeccallbacks test_codecencodings_cn test_codecencodings_hk test_codecencodings_iso2022 test_codecencodings_jp
test_codecencodings_kr test_codecencodings_tw test_codecmaps_cn test_codecmaps_hk test_codecmaps_jp test_codecmaps_kr
test_codecmaps_tw test_codecs test_codeop test_collections test_colorsys test_compare test_compile test_complex
test_configparser test_contains test_context test_contextlib test_contextlib_async test_copy test_copyreg
test_coroutines test_cprofile test_crypt test_csv test_ctypes test_dataclasses test_datetime test_dbm test_dbm_dumb
test_dbm_gnu test_dbm_ndbm test_decimal test_decorators test_defaultdict test_deque test_descr test_descrtut test_dict
test_dict_version test_dictcomps test_dictviews test_difflib test_dis test_doctest test_dynamic
test_dynamicclassattribute test_eintr test_email test_enum test_enumerate test_eof test_errno test_except_star
test_exception_group test_exception_hierarchy test_exception_variations test_exceptions test_extcall test_fcntl
test_file test_file_eintr test_filecmp test_fileinput test_fileio test_fileutils test_finalization test_float
test_flufl test_fnmatch test_fork1 test_format test_fractions test_frame test_frozen test_fstring test_funcattrs
test_functools test_future test_future3 test_future4 test_future5 test_gc test_generator_stop test_generators
test_genericalias test_genericclass test_genericpath test_genexps test_getopt test_getpass test_getpath test_gettext
test_glob test_global test_grammar test_graphlib test_grp test_gzip test_hash test_hashlib test_heapq test_hmac
test_html test_htmlparser test_http_cookiejar test_http_cookies test_imghdr test_imp test_import test_importlib
test_index test_inspect test_int test_int_literal test_interpreters test_ipaddress test_isinstance test_iter
test_iterlen test_json test_keyword test_keywordonlyarg test_linecache test_list test_listcomps test_lltrace
test_locale test_long test_longexp test_mailbox test_mailcap test_marshal test_math test_memoryio test_memoryview
test_metaclass test_mimetypes test_minidom test_mmap test_module test_modulefinder test_multibytecodec
test_multiprocessing_main_handling test_named_expressions test_netrc test_ntpath test_numeric_tower test_opcache
test_opcodes test_openpty test_operator test_optparse test_ordered_dict test_os test_osx_env test_pathlib test_patma
test_pdb test_peepholer test_pickle test_picklebuffer test_pickletools test_pipes test_pkg test_pkgutil test_platform
test_plistlib test_popen test_positional_only_arg test_posix test_posixpath test_pow test_pprint test_print
test_profile test_property test_pstats test_pty test_pulldom test_pwd test_py_compile test_pyclbr test_pyexpat
test_quopri test_raise test_random test_range test_re test_readline test_repl test_reprlib test_resource test_richcmp
test_rlcompleter test_runpy test_sax test_sched test_scope test_script_helper test_secrets test_select test_set
test_setcomps test_shelve test_shlex test_shutil test_site test_slice test_sndhdr test_sort test_stable_abi_ctypes
test_stat test_statistics test_strftime test_string test_string_literals test_stringprep test_strptime test_strtod
test_struct test_structseq test_subclassinit test_sunau test_sundry test_super test_support test_symtable test_syntax
test_sys test_sys_setprofile test_sys_settrace test_sysconfig test_syslog test_tabnanny test_tarfile test_tempfile
test_textwrap test_thread test_threadedtempfile test_threading_local test_threadsignals test_time test_timeit
test_tokenize test_trace test_traceback test_tracemalloc test_tuple test_type_annotations test_type_cache
test_type_comments test_typechecks test_types test_typing test_ucn test_unary test_unicode test_unicode_file
test_unicode_file_functions test_unicode_identifiers test_unicodedata test_unittest test_univnewlines test_unpack
test_unpack_ex test_unparse test_urlparse test_userdict test_userlist test_userstring test_utf8_mode test_utf8source
test_uu test_uuid test_wait3 test_wait4 test_warnings test_wave test_weakref test_weakset test_webbrowser test_with
test_xdrlib test_xml_dom_minicompat test_xml_etree test_xml_etree_c test_xxlimited test_xxtestfuzz test_yield_from
test_zipapp test_zipfile test_zipimport test_zipimport_support test_zlib test_zoneinfo
""".split()

# Without the fork server no process starts: these classes are enough to show it, and what needs no process runs.
_FORKSERVER = ("TestForkAwareThreadLock.*", "TestIgnoreEINTR.*", "TestInitializers.*", "TestNoForkBomb.*",
               "TestSyncManagerTypes.*", "WithProcessesTestPollEintr.*", "WithProcessesTestPoolWorkerErrors.*",
               "WithProcessesTestSubclassingProcess.*", "WithThreads*")
_SELECTED = {"test_multiprocessing_forkserver": [f"test_multiprocessing_forkserver.{one}" for one in _FORKSERVER]}

# Each module with patterns of the cases that are run.
ALL = {name: _SELECTED.get(name, ["*"]) for name in _NAMES}

# What `make test` runs: of those that take long, the classes that say most in the time.
_BRIEF = {
    "test_subprocess": "ProcessTestCase.* POSIXProcessTestCase.* ContextManagerTests.*",
    "test_signal": "[!S]*",
    "test_threading": "*",
    "test_concurrent_futures": "FutureTests.* ThreadPoolShutdownTest.* ProcessPool*InitializerTest.* "
                               "ProcessPoolForkProcessPoolShutdownTest.* ProcessPoolSpawnAsCompletedTest.*",
    "test_multiprocessing_fork": "WithProcessesTestPool.* WithProcessesTestQueue.* WithProcessesTestCondition.* "
                                 "WithProcessesTestLock.* WithProcessesTestSharedMemory.* WithProcessesTestValue.* "
                                 "WithProcessesTestConnection.* WithManagerTestPool.*",
    "test_multiprocessing_spawn": "TestStartMethod.* WithProcessesTestQueue.* WithProcessesTestSharedMemory.* "
                                  "WithProcessesTestPoolWorkerErrors.* WithManagerTestLock.*",
    "test_multiprocessing_forkserver": "TestIgnoreEINTR.* TestInitializers.* WithProcessesTestPoolWorkerErrors.*",
    "test_asyncio.test_subprocess": "SubprocessPidfdWatcherTests.* SubprocessThreadedWatcherTests.*",
    "test_io": "*[!s]Test.*",
    "test_asyncio.test_tasks": "CTask_CFuture_Tests.* *Gather*",
    "test_asyncio.test_events": "EPollEventLoopTests.* Test*",
    "test_logging": "[!HT]*",
    "test_queue": "C*",
    "test_weakref": "[!M]*",
}
_QUICK = """
test_wait4 test_asyncio.test_futures test_asyncio.test_base_events test_asyncio.test_unix_events test_asyncio.test_streams
test_asyncio.test_locks test_asyncio.test_queues test_asyncio.test_runners test_asyncio.test_selector_events
test_asyncio.test_threads test_asyncio.test_timeouts test_asyncio.test_waitfor test_atexit test_builtin test_bz2 test_cmd_line
test_cmd_line_script test_codecs test_contextlib test_coroutines test_ctypes test_dbm test_dbm_gnu test_decimal test_dict
test_exceptions test_fcntl test_file test_fileio test_gc test_generators test_getpass test_glob test_grp
test_hash test_hashlib test_import test_json test_locale test_mmap test_openpty test_os test_pathlib test_platform test_popen
test_posix test_posixpath test_pty test_pwd test_random test_re test_resource test_runpy test_select test_shutil test_site
test_stat test_sys test_tempfile test_thread test_time test_traceback test_unittest test_uuid test_zlib
""".split()
DEFAULT = {name: [f"{name}.{one}" for one in patterns.split()] for name, patterns in _BRIEF.items()}
DEFAULT.update((name, ["*"]) for name in _QUICK)
