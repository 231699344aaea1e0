// Time zone of the machine, without a service: the target of the link /etc/localtime (localtime(5)).
import { readlink } from 'node:fs/promises'

export async function readTimeZone(link = '/etc/localtime'): Promise<string> {
  const target = await readlink(link).catch(() => '')
  const [, zone] = /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(target) ?? []
  // The zone with which this process started.
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}
