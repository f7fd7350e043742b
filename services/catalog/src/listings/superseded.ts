/** The listings changed during a read, so the reader starts over. */
export class Superseded extends Error {}
