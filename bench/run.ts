// `make bench`: runs all suites or the given ones. Prints a table and writes `bench/out/<suite>.json`. Fails when a
// required ratio is not reached, unless a document explains why.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { suite as cycles } from './cycles.ts'
import { suite as fleet } from './fleet.ts'
import { suite as http } from './http.ts'
import { suite as jitter } from './jitter.ts'
import { type Measurement, meetsDemand, type Suite } from './measurement.ts'
import { suite as media } from './media.ts'
import { suite as parser } from './parser.ts'
import { suite as relay } from './relay.ts'
import { suite as line } from './slow-connection.ts'
import { suite as fanOut } from './streams/fan-out.ts'
import { suite as streams } from './streams.ts'

const SUITES: readonly Suite[] = [http, line, parser, fleet, streams, fanOut, media, jitter, cycles, relay]

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !SUITES.some(({ title }) => title === name))
if (unknown.length) {
  console.error(`Unknown suite ${unknown.join(', ')}. Available: ${SUITES.map(({ title }) => title).join(', ')}.`)
  process.exit(1)
}

/** The column with the required ratio, if there is one. */
function boundOf({ least, most }: Pick<Measurement, 'least' | 'most'>): { required?: string } {
  if (least !== undefined) return { required: `>= ${round(least)}` }
  return most === undefined ? {} : { required: `<= ${round(most)}` }
}

const out = join(import.meta.dirname, 'out')
mkdirSync(out, { recursive: true })
const round = (value: number) => Number(value.toPrecision(3))
/** The machine and its load: results of a busy machine are not meaningful. */
const machine = { node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length, load: loadavg()[0] }

for (const { title, strict, run } of SUITES) {
  if (requested.length && !requested.includes(title)) continue
  const measured = await run()
  const rows = measured.map((row) => ({
    ...row,
    ours: round(row.ours),
    reference: round(row.reference),
    ratio: round(row.ours / row.reference)
  }))
  writeFileSync(
    join(out, `${title}.json`),
    `${JSON.stringify({ suite: title, time: new Date().toISOString(), machine, rows }, undefined, 2)}\n`
  )
  console.log(`\n${title}`)
  console.table(
    Object.fromEntries(
      // Without a reference its columns are empty.
      rows.map(({ name, ours, reference, unit, referenceName, ratio, least, most }) => [
        name,
        Number.isNaN(reference)
          ? { ours, unit }
          : { ours, [referenceName]: reference, unit, ratio, ...boundOf({ least, most }) }
      ])
    )
  )
  const missed = strict ? rows.filter(({ ours, reference }) => !Number.isNaN(reference) && !(ours <= reference)) : []
  for (const { name, ours, reference, unit } of missed)
    console.error(`Missed: ${name}, ${ours} ${unit}, limit ${reference}.`)
  if (missed.length > 0) process.exitCode = 1
  for (const { name, ours, reference, referenceName, least, most, explainedIn: known } of measured.filter(
    (row) => !meetsDemand(row)
  )) {
    const demand = least === undefined ? `at most ${most}` : `at least ${least}`
    console.error(
      `Missed: ${name}: ${round(ours / reference)} of ${referenceName}, ${demand} is required.${known ? ` See ${known}.` : ''}`
    )
    if (!known) process.exitCode = 1
  }
}
