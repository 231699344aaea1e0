// What a release weighs, beside the one before.
import { ARTEFACTS, type Measured } from '../pack/budget.ts'
import type { Manifest } from '../pack/manifest.ts'

export interface Former {
  tag: string
  sizes: Measured
}

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
    (['raw', 'gzip', 'brotli'] as const).map((encoding) => {
      const is = sizes[artefact][encoding]
      const was = former?.sizes[artefact][encoding]
      return `| ${artefact} ${encoding} | ${was === undefined ? '-' : number(was)} | ${number(is)} | ${difference(is, was)} |`
    })
  )
  const before = former ? `Compared with ${former.tag}.` : 'No release before this one.'
  return Buffer.from(`# ${name} ${version}

Commit ${commit}${changed ? ' with changes' : ''}, ${time}. ${before}

| bytes a browser downloads | was | is | change |
|---|---:|---:|---:|
${rows.join('\n')}

${sizes.requests} requests${former ? `, before ${former.sizes.requests}` : ''}.
`)
}
