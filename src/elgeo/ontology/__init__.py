"""A file becomes axioms, axioms become normal forms."""
