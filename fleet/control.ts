// `node fleet/control.ts list [sn] | stop <sn> | start <sn> | tell <sn> <behaviour>`, for the fleet that runs in DATA
// (./data).
import { join } from 'node:path'
import { BEHAVIOURS } from './behaviour.ts'
import { registrationText } from './network/registration-text.ts'
import { type ControlRequest, sendControlRequest } from './process/control-socket.ts'

const [act = '', sn, order] = process.argv.slice(2)

function usage(): string {
  const commands = Object.entries({ ...BEHAVIOURS, drop: 'closes its link and reconnects after 10 s' })
  return [
    'node fleet/control.ts list                     list the devices',
    'node fleet/control.ts stop <sn>                switch a device off; it stays off',
    'node fleet/control.ts start <sn>               switch a device on',
    'node fleet/control.ts tell <sn> <behaviour>    set the behaviour of a device:',
    ...commands.map(([name, description]) => `  ${name.padEnd(14)} ${description}`)
  ]
    .concat('Instead of a serial number, all or a share such as 30% may be given.')
    .join('\n')
}

if (!['list', 'start', 'stop', 'tell'].includes(act) || (act !== 'list' && !sn) || (act === 'tell' && !order)) {
  console.error(usage())
  process.exit(2)
}
try {
  const folder = join(process.env.DATA ?? './data', 'fleet')
  const request = { act, ...(sn && { sn }), ...(order && { order }) } as ControlRequest
  for (const device of await sendControlRequest(folder, request)) {
    const { sn: serial, pid, state, behaviour, model, name, registration } = device
    console.log(
      `${serial.padEnd(22)} ${String(pid || '-').padStart(7)}  ${state.padEnd(9)} ${behaviour.padEnd(14)} ${model.padEnd(25)} ${name.padEnd(20)} ${registrationText(registration)}`.trimEnd()
    )
  }
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
