// Builds the console of a hub into dist/.
import { bundle } from './bundler/bundle.ts'

export default bundle({ input: 'src/main.tsx', dir: 'dist', hasHelp: true })
