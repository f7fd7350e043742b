/** The listings changed during a read: the reader begins again. */
export class Overtaken extends Error {}
