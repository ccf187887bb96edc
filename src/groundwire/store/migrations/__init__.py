"""Alembic's folder: one set of scripts for SQLite and PostgreSQL."""
