// An SFTP server that keeps its files and folders in memory.
import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import ssh2, { type SFTPWrapper } from 'ssh2'

const { Server, utils } = ssh2
const { STATUS_CODE } = utils.sftp

export interface SftpServer {
  port: number
  files: Map<string, Buffer>
  /** Paths that were created. A file in another folder is refused. */
  folders: Set<string>
  /** The passwords that were sent to it. */
  passwords: string[]
  close(): void
}

const hostKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

/** @param port 0 lets the system choose */
export async function startSftpServer(user: string, password: string, port = 0): Promise<SftpServer> {
  const files = new Map<string, Buffer>()
  const folders = new Set<string>()
  const passwords: string[] = []
  const server = new Server({ hostKeys: [hostKey()] }, (client) => {
    client
      .on('error', () => {})
      .on('authentication', (context) => {
        if (context.method === 'password') passwords.push(context.password)
        const isRight = context.method === 'password' && context.username === user && context.password === password
        if (isRight) context.accept()
        else context.reject(['password'])
      })
      .on('ready', () =>
        client.on('session', (accept) => accept().on('sftp', (open) => serveFiles(open(), files, folders)))
      )
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: ownPort } = server.address() as AddressInfo
  return { port: ownPort, files, folders, passwords, close: () => void server.close() }
}

function serveFiles(sftp: SFTPWrapper, files: Map<string, Buffer>, folders: Set<string>): void {
  const hasFolder = (path: string) => !path.includes('/') || folders.has(path.slice(0, path.lastIndexOf('/')))
  const names: string[] = []
  const nameOf = (handle: Buffer) => names[handle.readUInt32BE(0)] ?? ''
  sftp
    .on('MKDIR', (id: number, path: string) => {
      const isCreated = hasFolder(path) && !folders.has(path)
      if (isCreated) folders.add(path)
      sftp.status(id, isCreated ? STATUS_CODE.OK : STATUS_CODE.FAILURE)
    })
    .on('OPEN', (id: number, name: string) => {
      if (!hasFolder(name)) return void sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
      const handle = Buffer.alloc(4)
      handle.writeUInt32BE(names.push(name) - 1)
      files.set(name, Buffer.alloc(0))
      sftp.handle(id, handle)
    })
    .on('WRITE', (id: number, handle: Buffer, offset: number, data: Buffer) => {
      const bytes = files.get(nameOf(handle)) ?? Buffer.alloc(0)
      files.set(nameOf(handle), Buffer.concat([bytes.subarray(0, offset), data]))
      sftp.status(id, STATUS_CODE.OK)
    })
    .on('CLOSE', (id: number) => sftp.status(id, STATUS_CODE.OK))
    .on('RENAME', (id: number, from: string, to: string) => {
      files.set(to, files.get(from) as Buffer)
      files.delete(from)
      sftp.status(id, STATUS_CODE.OK)
    })
    .on('REMOVE', (id: number, name: string) => {
      sftp.status(id, files.delete(name) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE)
    })
}
