import pytest

pytest.register_assert_rewrite("tests.acceptance.peer_metrics", "tests.acceptance.peer_logs")
