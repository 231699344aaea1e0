// A refusal by a part of the machine. Handlers turn it into a `CallError`.
export class MachineError extends Error {
  /** Result code of the response. */
  readonly code: number
  readonly fields: Readonly<Record<string, unknown>>

  /** @param fields further fields of the response, such as `field` or `message` */
  constructor(code: number, fields: Readonly<Record<string, unknown>> = {}) {
    super(`result ${code}`)
    this.code = code
    this.fields = fields
  }
}
