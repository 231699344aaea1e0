// What a release weighs, beside the one before.
import { ARTEFACTS, type Measured } from '../pack/budget.ts'
import type { Manifest } from '../pack/manifest.ts'

export interface Former {
  tag: string
  sizes: Measured
}

const ENCODINGS = ['raw', 'gzip', 'brotli'] as const

const number = (value: number) => value.toLocaleString('en')

function difference(is: number, was: number | undefined): string {
  if (was === undefined) return '-'
  return is === was ? '=' : `${is > was ? '+' : '-'}${number(Math.abs(is - was))}`
}

/** @param former the release before, if there is one that still builds */
export function makeNotes(
  { name, version, commit, changed, time }: Manifest,
  sizes: Measured,
  former?: Former
): Buffer {
  const rows = ARTEFACTS.flatMap((artefact) =>
    ENCODINGS.map((encoding) => {
      const is = sizes[artefact][encoding]
      const was = former?.sizes[artefact][encoding]
      return `| ${artefact} ${encoding} | ${was === undefined ? '-' : number(was)} | ${number(is)} | ${difference(is, was)} |`
    })
  )
  const before = former ? `Compared with ${former.tag}.` : 'This clone knows no release before it.'
  return Buffer.from(`# ${name} ${version}

Commit ${commit}${changed ? ' with changes' : ''}, ${time}. ${before}

| bytes a browser downloads | was | is | change |
|---|---:|---:|---:|
${rows.join('\n')}

${sizes.requests} requests${former ? `, before ${former.sizes.requests}` : ''}.
`)
}

/** What notes say of the release before: nobody can check that without building it. */
export function formerIn(notes: string): Former | undefined {
  const tag = /\. Compared with (.+)\.$/m.exec(notes)?.[1]
  if (!tag) return undefined
  const count = (pattern: RegExp) => Number(pattern.exec(notes)?.[1]?.replaceAll(',', ''))
  const sizes = (artefact: string) => {
    const was = ENCODINGS.map((encoding) => count(new RegExp(`^\\| ${artefact} ${encoding} \\| ([\\d,]+) \\|`, 'm')))
    return Object.fromEntries(ENCODINGS.map((encoding, at) => [encoding, was[at]]))
  }
  const all = Object.fromEntries(ARTEFACTS.map((artefact) => [artefact, sizes(artefact)]))
  return { tag, sizes: { ...all, requests: count(/requests, before (\d+)\.$/m) } as Measured }
}
