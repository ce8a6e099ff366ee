/** What a check says when it fails: a word of the protocol, and the seat at fault where one is. */
export class Refusal extends Error {
  constructor(word, message = word, seat = null) {
    super(message);
    this.word = word;
    this.seat = seat;
  }
}

export const malformed = (message) => new Refusal("malformed", message);

/** Call `check`; what it refuses is the fault of `seat`. */
export function blame(seat, check) {
  try {
    return check();
  } catch (fault) {
    if (fault instanceof Refusal && fault.seat === null) fault.seat = seat;
    throw fault;
  }
}
