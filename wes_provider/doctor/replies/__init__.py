"""What one reply says: a request and what came of it, as data, and its words. Pure."""
