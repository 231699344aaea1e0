// Sentences of the dialogs of the NDI router.
export const TEXT = {
  close: ['Close', '关闭'],
  name: ['Name', '名称'],
  source: ['Source', '源'],
  routes: ['Routes', '路由'],
  addRoute: ['Add route', '添加路由'],
  removeRoute: ['Remove route', '移除路由'],
  routeCount: ['{0} routes', '{0} 条路由'],
  // Salvos
  addSalvo: ['Add salvo', '添加预设组'],
  editSalvo: ['Edit {0}', '编辑 {0}'],
  takeSalvo: ['Take…', '切换…'],
  removeSalvo: ['Delete {0}', '删除 {0}'],
  removeSalvoText: ['The routes stay as they are. This cannot be undone.', '当前路由保持不变。此操作无法撤销。'],
  noSalvos: [
    'No salvos. A salvo is a list of routes that are taken together, all or none. Arm some routes and save them, or add one here.',
    '暂无预设组。预设组是一组同时切换的路由，要么全部成功，要么全部不变。可预选若干路由后保存，或在此添加。'
  ],
  salvosMax: ['There are {0} salvos already, which is the limit.', '已有 {0} 个预设组，达到上限。'],
  // Scheduled takes
  addSchedule: ['Schedule take', '添加定时切换'],
  removeSchedule: ['Cancel {0}', '取消 {0}'],
  removeScheduleText: ['It will not be taken at {0}.', '将不会在 {0} 切换。'],
  scheduledBy: ['scheduled by {0}', '由 {0} 设定'],
  noSchedules: ['No takes are scheduled.', '没有定时切换。'],
  schedulesMax: ['{0} takes are scheduled already, which is the limit.', '已有 {0} 个定时切换，达到上限。'],
  time: ['Time', '时间'],
  timeHint: ['In the time zone of this browser', '按此浏览器的时区'],
  fromSalvo: ['Routes of a salvo', '使用预设组的路由'],
  chooseSalvo: ['Choose a salvo', '选择预设组'],
  // Matrix
  add: ['Add matrix', '添加矩阵'],
  edit: ['Edit {0}', '编辑 {0}'],
  base: ['Base name of the destinations', '目标的基本名称'],
  baseHint: [
    'Receivers find destination 1 as “{0} 1” on this hub. Receivers that show a destination lose it when the name changes.',
    '接收端将目标 1 显示为此中控上的“{0} 1”。更改名称后，正在显示的接收端会失去画面。'
  ],
  sources: ['Sources', '源'],
  foundSources: ['Sources in the network', '网络中的源'],
  noneFound: [
    'No further sources were found. A source may be missing because of its group, its subnet or a firewall; it can also be added by name.',
    '未发现其他源。源可能因所属组、子网或防火墙而缺失；也可按名称添加。'
  ],
  addByName: ['Add by name', '按名称添加'],
  addAllFound: ['Add all', '全部添加'],
  ndiName: ['NDI name', 'NDI 名称'],
  ndiNameHint: ['MACHINE (Source)', '机器名 (源名)'],
  label: ['Label', '标签'],
  sourceNumber: ['Source {0}', '源 {0}'],
  destinationNumber: ['Destination {0}', '目标 {0}'],
  moveUp: ['Move {0} up', '上移 {0}'],
  moveDown: ['Move {0} down', '下移 {0}'],
  removeItem: ['Remove {0}', '移除 {0}'],
  destinations: ['Destinations', '目标'],
  addDestination: ['Add destination', '添加目标'],
  addDestinations: ['Add {0}', '添加 {0} 个'],
  removeHint: [
    'Routes follow their sources and destinations when the order changes.',
    '调整顺序时，路由会跟随其源和目标。'
  ],
  // Hardware panels
  panelTitle: ['Hardware panels: {0}', '硬件面板：{0}'],
  panelText: [
    'Router panels, Stream Decks and programs that control a Videohub can switch this matrix over the Videohub Ethernet Protocol. The protocol has no passwords: allow the addresses of your panels only.',
    '支持 Videohub 的路由面板、Stream Deck 和程序可通过 Videohub 以太网协议切换此矩阵。该协议没有密码，请只允许您的面板地址。'
  ],
  enable: ['Open the port for panels', '为面板开放端口'],
  port: ['Port', '端口'],
  allowed: ['Allowed addresses', '允许的地址'],
  allowedHint: [
    'IPv4 addresses or ranges such as 10.0.0.0/24, separated by spaces. Empty: every address.',
    'IPv4 地址或网段，如 10.0.0.0/24，以空格分隔。留空表示所有地址。'
  ],
  takeMode: ['Take mode', '切换确认模式'],
  takeModeHint: [
    'Panels with a take button ask for a confirmation of each route.',
    '带切换键的面板会要求确认每次切换。'
  ],
  switchable: ['Destinations that panels may switch', '面板可切换的目标'],
  allDestinations: ['All destinations', '全部目标'],
  stateListening: ['Listening', '正在监听'],
  stateFailed: ['Not listening', '未监听'],
  stateOff: ['Off', '关闭'],
  panelClients: ['{0} panels connected', '已连接 {0} 个面板'],
  // Keyboard
  keysTitle: ['Keyboard', '键盘操作'],
  key: ['Key', '按键'],
  effect: ['Effect', '作用'],
  arrows: ['Arrow keys', '方向键'],
  arrowsText: ['Move to another cell', '移动到其他单元格'],
  pages: ['Home, End, Page Up, Page Down', 'Home、End、Page Up、Page Down'],
  pagesText: ['Move to the ends of the row, or by 8 rows', '移动到行首或行尾，或移动 8 行'],
  enterText: [
    'Arms the cell; on an armed cell takes everything that is armed. Without “Arm, then take”: takes the cell',
    '预选该单元格；在已预选的单元格上切换所有预选项。未启用“先预选，再切换”时：直接切换'
  ],
  shiftEnterText: ['Takes the cell at once', '立即切换该单元格'],
  space: ['Space', '空格'],
  spaceText: ['Arms or disarms the cell', '预选或取消预选该单元格'],
  numbersText: ['Destination 12, source 7, by their numbers', '按编号：目标 12，源 7'],
  letters: ['Letters', '字母'],
  lettersText: [
    'Destination by the beginning of its name; after Enter the source. Names with L: type a number, or / to search',
    '按名称开头选择目标；按 Enter 后选择源。以 L 开头的名称：输入编号，或按 / 查找'
  ],
  lockText: ['Locks or unlocks the destination', '锁定或解锁目标'],
  undoText: ['Undoes the last take', '撤销上次切换'],
  escapeText: ['Clears what is typed, then what is armed', '清除输入，然后清除预选'],
  findText: ['Search', '搜索'],
  helpText: ['Shows these keys', '显示这些按键'],
  // Log
  logTitle: ['Log of takes: {0}', '切换日志：{0}'],
  allLogs: ['All logs', '全部日志']
} as const
