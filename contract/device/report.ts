// Report of a real device: what it answered to requests that change nothing, with secrets removed. `make device-report`
// writes it, and `node fleet/at-address.ts --report FILE` answers as it says.
import type { DeviceApi } from './action.ts'

export const REPORT_FORMAT = 1

/** An answer of a device. */
export interface ReportedAnswer {
  /** Path and query of a GET request. */
  target: string
  status: number
  /** Parsed JSON; text, cut to 2,000 characters, if it is none. */
  body: unknown
  /** Milliseconds until the whole answer was there. */
  ms: number
}

export interface DeviceReport {
  format: typeof REPORT_FORMAT
  api: DeviceApi
  /** Serial number, with zeros after its first four characters, which say what the product is. */
  sn: string
  model: string
  firmware: string
  answers: ReportedAnswer[]
}
