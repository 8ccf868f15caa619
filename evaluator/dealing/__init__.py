"""Dealt hands, and how often each answer occurs over all deals."""
