"""Nothing is lost, whatever dies: real servers and daemons that are stopped, killed, frozen and filled."""
