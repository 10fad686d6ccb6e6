"""What follows from reads and from files, as tables of findings."""
