/** The listings changed while somebody read them: the reader begins anew. */
export class Overtaken extends Error {}
