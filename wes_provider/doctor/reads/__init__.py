"""All reads together: how they are sent, the evidence that they are, and what it shows."""
