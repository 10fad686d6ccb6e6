"""What replies in place of the service: logins, checks, proxies, mock servers."""
