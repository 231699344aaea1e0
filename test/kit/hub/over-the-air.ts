// Upgrades of the whole hub that come from a web server.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import {
  checkUpdate,
  confirmUpdate,
  setUpdate,
  startUpdate,
  UPDATE_STATE,
  updateStatus
} from '../../../contract/update.ts'
import { type DebianPackage, unpackRelease } from '../../../firmware-pack/debian-package.ts'
import { createHubUpdate } from '../../../firmware-pack/hub-update.ts'
import { writeVersion } from '../../../make/deb/release-files.ts'
import type { Signer } from '../../../pack/signature.ts'
import type { StaticServer } from '../net/static-server.ts'
import { untilEmulated } from '../until.ts'
import { channelFiles, DAY, releaseOf } from './channel-files.ts'
import type { HubConnection } from './hub-process.ts'

/** The release of a Debian package as a signed update, in another version. */
export function createUpdateOf(debianPackage: DebianPackage, version: string, signer: Signer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'headend-release-'))
  try {
    return createUpdateFrom(unpackRelease(debianPackage, folder), version, signer)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * A signed update with a release, in another version.
 * @param release its folder
 * @param files content that differs, by path
 */
export function createUpdateFrom(
  release: string,
  version: string,
  signer: Signer,
  files: Readonly<Record<string, string>> = {}
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'headend-update-'))
  try {
    cpSync(release, folder, { recursive: true })
    writeVersion(folder, version)
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    const commit = { id: 'a'.repeat(40), time: 1_800_000_000, changed: false }
    return createHubUpdate({ folder, version, commit, signer, architecture: process.arch, level: 1 })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Publishes an update on a web server, as the only one. @returns its ID there */
export function publishUpdate(server: StaticServer, version: string, update: Buffer, signer: Signer): string {
  const file = `${version}.update`
  const release = releaseOf(update, { version, architecture: process.arch, file })
  // It has to rise.
  const number = Number(version.split('.')[1])
  const published = channelFiles(signer, [release], { number, expires: Date.now() + DAY })
  server.files.clear()
  for (const [path, bytes] of [[`/${file}`, update] as const, ...published]) server.files.set(path, bytes)
  return release.sha256
}

/** Lets a hub download a published update. @param address of the web server @returns the ID by which it is installed */
export async function downloadUpdate(admin: HubConnection, address: string, id: string): Promise<string> {
  assert.equal((await admin.send(setUpdate, { address })).result, SUCCESS)
  await untilEmulated(async () => {
    assert.equal((await admin.send(checkUpdate, {})).result, SUCCESS)
    const { result } = await admin.send(startUpdate, { id })
    // A check that was running may have read the list of before.
    assert.ok(result === SUCCESS || result === NOT_EXIST, `result ${result}`)
    return result === SUCCESS
  })
  return untilEmulated(async () => {
    const { releases } = await admin.send(updateStatus, {})
    return releases?.find(({ use }) => use === 'ready')?.id
  })
}

/** Confirms a release on trial, as a browser does in which its console has started. */
export async function confirmTrial(admin: HubConnection): Promise<void> {
  const { status } = await admin.send(systemStatus, {})
  const script = status.system.info['console-trial'] ?? ''
  assert.equal((await admin.send(confirmUpdate, { script })).result, SUCCESS)
}

/**
 * Confirms a release on trial until the upgrade has ended. @param isOver ends the wait before
 * @returns version of the hub; '' if the wait was ended
 */
export async function settleUpgrade(admin: HubConnection, isOver = () => false): Promise<string> {
  const look = async () => {
    if (isOver()) return { version: '' }
    const status = await admin.send(updateStatus, {}).catch(() => undefined)
    if (status?.releases?.some(({ use }) => use === 'trial')) await confirmTrial(admin).catch(() => undefined)
    const isActive = status?.releases?.some(({ use }) => use === 'active')
    return status && isActive && (status.state & ~UPDATE_STATE.failed) === 0 && status
  }
  return (await untilEmulated(look)).version
}
