/** The listings changed during a read: the reader begins again. */
export class Superseded extends Error {}
