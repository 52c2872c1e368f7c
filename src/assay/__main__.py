"""`python -m assay` is `assay`, for a Python whose folder of scripts is not on the PATH."""

from assay.cli import main

if __name__ == "__main__":
    main()
