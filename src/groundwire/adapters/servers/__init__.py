"""What all adapters of servers share: addresses, requests, answers, and failures in the server's own words."""
