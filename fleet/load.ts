/** CPU load and memory usage in percent, and temperature in degrees Celsius, as random walks with one step per second. */
export class Load {
  readonly #random: () => number
  cpu: number
  memory: number
  temperature: number

  constructor(random: () => number) {
    this.#random = random
    this.cpu = 20 + random() * 15
    this.memory = 35 + random() * 20
    this.temperature = 45 + random() * 8
  }

  /** @param activity CPU load in percent caused by recordings and streams */
  step(activity: number): void {
    const random = this.#random
    this.cpu += (22 + activity - this.cpu) * 0.15 + (random() - 0.5) * 7
    this.cpu = Math.min(97, Math.max(2, this.cpu))
    this.memory = Math.min(85, Math.max(20, this.memory + (random() - 0.5) * 0.6))
    this.temperature += (42 + this.cpu * 0.35 - this.temperature) * 0.05 + (random() - 0.5) * 0.3
  }
}
