"""What is trained on and what is held out: splits, kinds of classes, sources, the embedded examples."""
