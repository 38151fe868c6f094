"""The few labelled images of semi-supervised training."""
