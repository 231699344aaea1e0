// What a release weighs, beside the one before.
import { ARTEFACTS, type Measured } from '../pack/budget.ts'
import type { Manifest } from '../pack/manifest.ts'

export interface Former {
  tag: string
  /** Nothing where it does not build with today's packages. */
  sizes?: Measured | undefined
}

const ENCODINGS = ['raw', 'gzip', 'brotli'] as const

const number = (value: number) => value.toLocaleString('en')

function difference(is: number, was: number | undefined): string {
  if (was === undefined) return '-'
  return is === was ? '=' : `${is > was ? '+' : '-'}${number(Math.abs(is - was))}`
}

/** @param former the release before, if there is one */
export function makeNotes(
  { name, version, commit, changed, time }: Manifest,
  sizes: Measured,
  former?: Former
): Buffer {
  const rows = ARTEFACTS.flatMap((artefact) =>
    ENCODINGS.map((encoding) => {
      const is = sizes[artefact][encoding]
      const was = former?.sizes?.[artefact][encoding]
      return `| ${artefact} ${encoding} | ${was === undefined ? '-' : number(was)} | ${number(is)} | ${difference(is, was)} |`
    })
  )
  const { tag, sizes: before } = former ?? {}
  const compared = before
    ? `Compared with ${tag}.`
    : tag
      ? `${tag} before it does not build any more.`
      : 'This clone knows no release before it.'
  return Buffer.from(`# ${name} ${version}

Commit ${commit}${changed ? ' with changes' : ''}, ${time}. ${compared}

| bytes a browser downloads | was | is | change |
|---|---:|---:|---:|
${rows.join('\n')}

${sizes.requests} requests${before ? `, before ${before.requests}` : ''}.
`)
}

/** What notes say of the release before: nobody can check that without building it. */
export function formerIn(notes: string): Former | undefined {
  const unbuilt = /\. (\S+) before it does not build any more\.$/m.exec(notes)?.[1]
  if (unbuilt) return { tag: unbuilt }
  const tag = /\. Compared with (\S+)\.$/m.exec(notes)?.[1]
  if (!tag) return undefined
  const count = (pattern: RegExp) => Number(pattern.exec(notes)?.[1]?.replaceAll(',', ''))
  const sizes = (artefact: string) => {
    const was = ENCODINGS.map((encoding) => count(new RegExp(`^\\| ${artefact} ${encoding} \\| ([\\d,]+) \\|`, 'm')))
    return Object.fromEntries(ENCODINGS.map((encoding, at) => [encoding, was[at]]))
  }
  const all = Object.fromEntries(ARTEFACTS.map((artefact) => [artefact, sizes(artefact)]))
  return { tag, sizes: { ...all, requests: count(/requests, before (\d+)\.$/m) } as Measured }
}
