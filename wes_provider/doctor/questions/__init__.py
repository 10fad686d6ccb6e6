"""What is read next: a table of questions, and the steps that settle them."""
