// Finds nginx and its RTMP module.
import { existsSync } from 'node:fs'
import { NotInstalledError } from '../interfaces/errors.ts'
import { findProgram } from '../process/find-program.ts'

const PROGRAMS = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx']
const MODULES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/share'].map(
  (folder) => `${folder}/nginx/modules/ngx_rtmp_module.so`
)
/** The command that installs nginx and the module. */
export const INSTALL_RTMP = 'apt-get install -y nginx libnginx-mod-rtmp'

export interface NginxInstallation {
  /** Path of nginx. */
  program: string
  /** Path of the RTMP module. */
  module: string
}

/**
 * @param program path of nginx. Default: searched in the usual folders
 * @throws NotInstalledError
 */
export function findNginx(program = PROGRAMS.find(findProgram)): NginxInstallation {
  const module = MODULES.find(existsSync)
  if (!program) throw new NotInstalledError('nginx')
  if (!module) throw new NotInstalledError('libnginx-mod-rtmp')
  return { program, module }
}

/** Whether nginx and its RTMP module are installed. */
export const isRtmpInstalled = () => PROGRAMS.some(findProgram) && MODULES.some(existsSync)
