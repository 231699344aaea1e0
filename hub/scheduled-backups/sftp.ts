// Uploads backups over SFTP.
import { createHash } from 'node:crypto'
import { Client, type SFTPWrapper } from 'ssh2'
import { resolveServer } from '../machine/server-address.ts'
import { UPLOAD_TIME, UploadError, type UploadRequest } from './upload.ts'

const SSH_PORT = 22
/** Milliseconds until the server has admitted the hub. */
const LOGIN_TIME = 20_000

/** SHA-256 of a host key, as ssh-keygen shows it. */
const fingerprint = (key: Buffer) => createHash('sha256').update(key).digest('base64').replace(/=+$/, '')

const toPromise = (run: (done: (error?: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())))

/** @returns SHA-256 of the host key. @throws UploadError */
export async function uploadOverSftp(request: UploadRequest): Promise<string> {
  const { host = '', port = SSH_PORT, user = '' } = request.target
  let hostKey = ''
  const client = new Client()
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
      password: request.password,
      readyTimeout: LOGIN_TIME,
      hostVerifier(key: Buffer) {
        hostKey = fingerprint(key)
        return request.hostKey === undefined || request.hostKey === hostKey
      }
    })
    await Promise.race([ready, closed])
  } catch (error) {
    clearTimeout(timer)
    client.end()
    if (request.hostKey !== undefined && hostKey !== '' && hostKey !== request.hostKey)
      throw new UploadError('host-key')
    const { level } = error as { level?: string }
    throw new UploadError(level === 'client-authentication' ? 'login' : 'unreachable', error)
  }
  try {
    await Promise.race([storeBackup(client, request), closed])
    return hostKey
  } catch (error) {
    throw new UploadError('upload', error)
  } finally {
    clearTimeout(timer)
    client.end()
  }
}

/** The file gets its name when it is complete. */
async function storeBackup(client: Client, { target, name, bytes, outdated }: UploadRequest): Promise<void> {
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, session) => (error ? reject(error) : resolve(session)))
  })
  const folder = (target.path ?? '').replace(/\/+$/, '')
  const pathOf = (file: string) => (folder ? `${folder}/${file}` : file)
  const part = pathOf(`${name}.part`)
  await toPromise((done) => sftp.writeFile(part, bytes, { mode: 0o600 }, done))
  await toPromise((done) => sftp.rename(part, pathOf(name), done))
  // A missing file is not an error.
  for (const each of outdated) await toPromise((done) => sftp.unlink(pathOf(each), () => done()))
}
