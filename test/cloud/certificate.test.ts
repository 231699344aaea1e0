import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { openCertificate } from '../../cloud/certificate.ts'
import { suite } from '../kit/runner/suite.ts'
import { makePair, type Pair } from '../kit/tls/certificates.ts'

const test = suite('certificate of a node')

test('files that are replaced are used within a minute, and damaged ones leave the certificate as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-cert-'))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  let seconds = 1_000_000_000
  const write = ({ cert, key }: Pair) => {
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key)
    seconds++
    for (const path of [files.cert, files.key]) utimesSync(path, seconds, seconds)
  }
  const [first, second] = [makePair(), makePair()]
  write(first)
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const certificate = await openCertificate({ data: folder, files, names: [], now: Date.now })
    const replaced: string[] = []
    certificate.onReplaced(({ cert }) => replaced.push(cert))
    const isFirst = () => certificate.identity()?.key === first.key
    mock.timers.tick(60_000)
    assert.deepEqual([isFirst(), replaced.length], [true, 0])
    write({ cert: second.cert, key: first.key })
    mock.timers.tick(60_000)
    assert.deepEqual([isFirst(), replaced.length], [true, 0])
    write(second)
    mock.timers.tick(60_000)
    assert.equal(certificate.identity()?.key, second.key)
    assert.equal(replaced.length, 1)
    certificate.close()
  } finally {
    mock.timers.reset()
    rmSync(folder, { recursive: true })
  }
})

test.run()
