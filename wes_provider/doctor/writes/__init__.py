"""What the user has the doctor change, what came of it, and how an upload's file went on."""
