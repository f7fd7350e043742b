import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Programs that tests run need not compile the same code each time. Set here and not for the processes of the tests
// themselves: at their end each would write thousands of files to one folder, where they wait for each other. Once a
// test has had programs built, their own folder is used.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'storefront-packages', 'compile-cache')
