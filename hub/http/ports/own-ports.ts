// The ports on which the hub itself listens. Devices at addresses and outputs cannot use them.

export class OwnPorts {
  readonly #listed: (() => readonly number[])[] = []

  /** Adds a part that listens on ports. @param ports the open ports */
  include(ports: () => readonly number[]): void {
    this.#listed.push(ports)
  }

  readonly list = (): number[] => this.#listed.flatMap((ports) => ports())
}
