// API of a demo device that answers what a real device did, from its report (`make device-report`).
import { readFileSync } from 'node:fs'
import { type DeviceReport, REPORT_FORMAT } from '../../contract/device/report.ts'
import type { DocumentedApi } from './documented-api.ts'

/** @throws Error if the file is no report that this version can read */
export function readReport(file: string): DeviceReport {
  const report = JSON.parse(readFileSync(file, 'utf8')) as DeviceReport
  if (report.format !== REPORT_FORMAT || !Array.isArray(report.answers))
    throw new Error(`${file} is no report of a device`)
  return report
}

/** The same request has its parameters in any order. */
function normalTarget(path: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return `${path}?${sorted}`
}

/** Requests that are not in the report are unknown to the device; it changes nothing. */
export function createReportedApi({ answers }: DeviceReport): DocumentedApi {
  const bodies = new Map(
    answers.map(({ target, body }) => {
      const { pathname, searchParams } = new URL(target, 'http://device')
      return [normalTarget(pathname, searchParams), body] as const
    })
  )
  return {
    handle({ path, query }) {
      const body = bodies.get(normalTarget(path, query))
      return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
    },
    picture: () => undefined,
    stop() {}
  }
}
