"""At most one upload, whatever crashes."""
