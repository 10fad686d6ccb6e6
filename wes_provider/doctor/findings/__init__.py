"""What a finding is, and what it advises."""
