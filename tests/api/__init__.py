"""The daemon and the command line as their users meet them: every promise of the API, over real sockets."""
