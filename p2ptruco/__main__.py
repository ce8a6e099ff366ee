"""`python -m p2ptruco` is the command `p2ptruco`."""

from p2ptruco.cli import main

if __name__ == "__main__":
    main()
