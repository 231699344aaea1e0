// Uploads backups over SFTP. The password is sent only to a server whose host key is stored.
import { createHash } from 'node:crypto'
import type { Client, SFTPWrapper } from 'ssh2'
import { resolveServer } from '../machine/server-address.ts'
import { UPLOAD_TIME, UploadError, type UploadRequest, type UploadServer } from './upload.ts'

const SSH_PORT = 22
/** Milliseconds until the server has admitted the hub. */
const LOGIN_TIME = 20_000
/** Written and removed by a test. */
const TEST_FILE = '.headend-test'

/** SHA-256 of a host key, as ssh-keygen shows it. */
const fingerprint = (key: Buffer) => createHash('sha256').update(key).digest('base64').replace(/=+$/, '')

const toPromise = (run: (done: (error?: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())))

/**
 * Connects to a server, and signs in if its host key is accepted.
 * @param accept whether a host key, as SHA-256 in base64, is that of the server. The password is sent after it
 * @param use what is done with the connection
 * @returns its result. @throws UploadError
 */
async function withServer<Result>(
  { target, password }: UploadServer,
  accept: (hostKey: string) => boolean,
  use: (sftp: SFTPWrapper) => Promise<Result>
): Promise<Result> {
  const { host = '', port = SSH_PORT, user = '' } = target
  let refusal: unknown
  // Not loaded by the many hubs that send no backups over SFTP.
  const ssh = await import('ssh2')
  const client = new ssh.Client()
  const closed = new Promise<never>((_, reject) => {
    client.on('error', reject).once('close', () => reject(new Error('The connection was closed')))
  })
  const ready = new Promise<void>((resolve) => client.once('ready', resolve))
  const timer = setTimeout(() => client.destroy(), UPLOAD_TIME)
  try {
    client.connect({
      host: await resolveServer(host),
      port,
      username: user,
      password,
      readyTimeout: LOGIN_TIME,
      hostVerifier(key: Buffer) {
        try {
          if (accept(fingerprint(key))) return true
          refusal = new UploadError('host-key')
        } catch (error) {
          refusal = error
        }
        return false
      }
    })
    await Promise.race([ready, closed])
  } catch (error) {
    clearTimeout(timer)
    client.end()
    if (refusal) throw refusal
    const { level } = error as { level?: string }
    throw new UploadError(level === 'client-authentication' ? 'login' : 'unreachable', error)
  }
  try {
    return await Promise.race([openSftp(client).then(use), closed])
  } catch (error) {
    throw new UploadError('upload', error)
  } finally {
    clearTimeout(timer)
    client.end()
  }
}

/** Uploads a backup. @throws UploadError */
export function uploadOverSftp(request: UploadRequest): Promise<void> {
  const { target, name, bytes, outdated, hostKey: known, pinHostKey } = request
  const accept = (hostKey: string) => {
    if (known === undefined) pinHostKey(hostKey)
    return known === undefined || known === hostKey
  }
  return withServer(request, accept, async (sftp) => {
    const pathOf = await openFolder(sftp, target.path)
    // The file gets its name when it is complete.
    const part = pathOf(`${name}.part`)
    await toPromise((done) => sftp.writeFile(part, bytes, { mode: 0o600 }, done))
    await toPromise((done) => sftp.rename(part, pathOf(name), done))
    // A missing file is not an error.
    for (const each of outdated) await toPromise((done) => sftp.unlink(pathOf(each), () => done()))
  })
}

/**
 * Signs in to a server whose host key is known, and writes and removes a file in its folder.
 * @param known the host key; undefined: it is only read, and no password is sent
 * @returns the host key of the server, and why the test failed
 */
export async function testSftp(
  server: UploadServer,
  known: string | undefined
): Promise<{ hostKey: string; error?: UploadError }> {
  let hostKey = ''
  const accept = (shown: string) => {
    hostKey = shown
    return shown === known
  }
  try {
    await withServer(server, accept, async (sftp) => {
      const path = (await openFolder(sftp, server.target.path))(TEST_FILE)
      await toPromise((done) => sftp.writeFile(path, '', { mode: 0o600 }, done))
      await toPromise((done) => sftp.unlink(path, done))
    })
    return { hostKey }
  } catch (error) {
    if (!(error instanceof UploadError)) throw error
    return { hostKey, error }
  }
}

const openSftp = (client: Client) =>
  new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, session) => (error ? reject(error) : resolve(session)))
  })

/** Creates a folder with those above it. @returns the path of a file in it */
async function openFolder(sftp: SFTPWrapper, path = ''): Promise<(file: string) => string> {
  const folder = path.replace(/\/+$/, '')
  const names = folder.split('/')
  for (const end of names.keys()) {
    const part = names.slice(0, end + 1).join('/')
    // It may exist. What is wrong otherwise is seen when the file is written.
    if (part) await toPromise((done) => sftp.mkdir(part, () => done()))
  }
  return (file) => (folder ? `${folder}/${file}` : file)
}
