// Which destination had which port. A receiver remembers the address of its destination: if a new router process gave that port to another
// destination, the receiver would follow the routes of that one, and show a wrong picture.

export class DestinationPorts {
  /** By port. */
  readonly #owners = new Map<number, { matrix: number; destination: number }>()

  add(port: number, matrix: number, destination: number): void {
    this.#owners.set(port, { matrix, destination })
  }

  /** @returns ports, each with the destination of the matrix that had it last; 0: a destination of another matrix */
  listFor(matrix: number): [port: number, destination: number][] {
    return [...this.#owners].map(([port, owner]) => [port, owner.matrix === matrix ? owner.destination : 0])
  }
}
