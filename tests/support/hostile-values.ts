/** Input of a careless or malicious client. Values are JSON text, because JSON text can express more than an object. */

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const nestedObjects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

const STRINGS = [
  '',
  ' ',
  'x'.repeat(9000),
  'NUL \u0000 inside',
  "'; drop table orders; --",
  '%s%n%x%p {0} ${7*7} {{7*7}}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '\u{1F455}\u{1F9F5} \u202Ereversed',
  'line\r\nset-cookie: taken=1',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '2026-02-30T25:61:61Z',
]

/** Values of every type, for the place of one property. */
export const VALUES: readonly string[] = [
  ...STRINGS.map((text) => JSON.stringify(text)),
  '"\\ud800 alone"',
  '"\\udc00\\ud800"',
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '1.5',
  '2147483648',
  '9007199254740993',
  '1e21',
  '1e400',
  '-1e400',
  '[]',
  '[null]',
  '[[]]',
  '{}',
  '{"a":1}',
  '{"__proto__":{"admin":true},"constructor":{"prototype":{}},"toString":1,"length":-1}',
  nested(2000),
  nestedObjects(2000),
]

/** Values for a deeply nested place, where each needs a request with a large body. */
export const FEW_VALUES: readonly string[] = [
  JSON.stringify('x'.repeat(9000)),
  JSON.stringify("' \u0000 %s"),
  '"\\ud800"',
  '"__proto__"',
  'null',
  '-1',
  '1.5',
  '1e21',
  '1e400',
  '[null]',
  '{"a":[]}',
  nestedObjects(2000),
]

/** Values of a header: valid by the rules of HTTP, and longer than any client needs. */
export const HEADER_VALUES: readonly string[] = [
  '',
  'x',
  'two words',
  '\t',
  'x'.repeat(256),
  'x'.repeat(9000),
  "'; drop table orders; --",
  '%00',
  '\u00e9\u00ff',
  'one, two',
  '"quoted"',
  '__proto__',
  '{"a":1}',
]

/** Whole bodies with their content type. */
export const BODIES: readonly { name: string; type: string | undefined; body: string | Buffer }[] = [
  { name: 'an empty body', type: 'application/json', body: '' },
  { name: 'blanks', type: 'application/json', body: ' \n ' },
  { name: 'no content type', type: undefined, body: '{}' },
  { name: 'a form', type: 'application/x-www-form-urlencoded', body: 'a=1&b=2' },
  { name: 'text', type: 'text/plain', body: 'hello' },
  { name: 'XML', type: 'application/xml', body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>' },
  { name: 'a broken form', type: 'multipart/form-data', body: '--x\r\n' },
  {
    name: 'a form with a file',
    type: 'multipart/form-data; boundary=x',
    body: '--x\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--',
  },
  { name: 'a row', type: 'application/x-ndjson', body: '{}\n' },
  { name: 'a table', type: 'text/csv', body: 'a,b\n1,2\n' },
  { name: 'a strange content type', type: ';;/;', body: '{}' },
  { name: 'half of JSON', type: 'application/json', body: '{"email":' },
  { name: 'JSON and more', type: 'application/json', body: '{} {}' },
  {
    name: 'bytes that are not text',
    type: 'application/json',
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  },
  { name: 'a raw NUL', type: 'application/json', body: '{"a":"\u0000"}' },
  { name: 'a byte order mark', type: 'application/json', body: '\uFEFF{}' },
  { name: 'NaN', type: 'application/json', body: '{"quantity":NaN}' },
  ...['null', 'true', '0', '""', '"text"', '[]', '[[]]', '[null]', '[{}]', '{}'].map((body) => ({
    name: body,
    type: 'application/json',
    body,
  })),
  { name: 'prototype keys', type: 'application/json', body: '{"__proto__":{"email":"a@b.c"},"constructor":1}' },
  { name: 'arrays 2,000 deep', type: 'application/json', body: nested(2000) },
  { name: 'objects 2,000 deep', type: 'application/json', body: nestedObjects(2000) },
  { name: 'arrays 200,000 deep', type: 'application/json', body: nested(200_000) },
  {
    name: '10,000 keys',
    type: 'application/json',
    body: JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]))),
  },
]

export const TWO_MEBIBYTES = JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) })

/** Values of one segment of a path, as they are sent. */
export const SEGMENTS: readonly string[] = [
  '%00',
  'a%00b',
  '%ff',
  '%c0%ae%c0%ae',
  '%',
  '%zz',
  '..',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%2F',
  '%5c',
  '%F0%9F%91%95',
  '%ED%A0%80',
  'x'.repeat(5000),
  'x'.repeat(300),
  "'%20or%20'1'%3D'1",
  '%25s',
  '%0d%0aset-cookie:%20taken=1',
  '-1',
  '0',
  '1e400',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '*',
  ':id',
  ';a=b',
]

/** Text after `name` in a query, with the `=`, so that it can be absent too. */
export const QUERY_VALUES: readonly string[] = [
  '',
  '=',
  '=%20',
  '=%00',
  '=%ff',
  '=%',
  '=%zz',
  '=-1',
  '=0',
  '=1.5',
  '=1e21',
  '=99999999999999999999',
  '=9007199254740993',
  '=abc',
  '=null',
  '=NaN',
  "='%20or%201=1--",
  '=%25s%25n',
  '=%F0%9F%91%95',
  '=%ED%A0%80',
  '=__proto__',
  '=constructor',
  '=,,,,',
  '=a:*%26!b%20|%20((',
  `=${'x'.repeat(5000)}`,
  `=${'x,'.repeat(2500)}`,
  '[]=1',
  '[a][b]=1',
]

/** A body of another type than JSON, for an operation that accepts that type. */
export interface HostileBody {
  name: string
  /** The content type with its parameters. */
  type: string
  body: string | Buffer
  /** Parameters of the address. */
  query?: Readonly<Record<string, string>>
  /** A wrong value of `content-length`. */
  claimed?: string
}

interface HostileBodies {
  /** A body that is accepted, which proves that each hostile body is rejected for its own fault. */
  fitting: HostileBody
  hostile: readonly HostileBody[]
}

const TEN_MEGABYTES = 10_000_000

const bodiesOf = (type: string, bodies: Readonly<Record<string, string | Buffer>>): HostileBody[] =>
  Object.entries(bodies).map(([name, body]) => ({ name, type, body }))

/** A server must not wait for bytes that do not come, nor read surplus bytes as the next request. */
const withWrongLengths = (fitting: HostileBody): HostileBody[] =>
  ['5', '100000', '10000000000', '18446744073709551617', '-1', '1e3', '0x10', '1, 2', 'none'].map((claimed) => ({
    ...fitting,
    name: `a content-length of ${claimed}`,
    claimed,
  }))

const withTypes = ({ body }: HostileBody, types: readonly string[]): HostileBody[] =>
  types.map((type) => ({ name: type.slice(0, 60), type, body }))

const NDJSON = 'application/x-ndjson'

const row = (type: string, data: unknown) => JSON.stringify({ type, data })
const product = (change: object = {}) =>
  row('product', { slug: 'sample', title: 'Sample', price: { amount: 100, currency: 'USD' }, ...change })
const replaced = row('import', { mode: 'replace' })

const NDJSON_FITTING: HostileBody = {
  name: 'rows',
  type: NDJSON,
  body: [row('import', { mode: 'merge' }), product(), row('end', { rows: 1 })].join('\n'),
}

const HOSTILE_NDJSON: readonly HostileBody[] = [
  ...bodiesOf(NDJSON, {
    'an empty body': '',
    'blank lines': '\n\r\n \t\n\n',
    '100,000 blank lines': '\n'.repeat(100_000),
    'a byte order mark alone': '\uFEFF',
    'a byte order mark before the row': `\uFEFF${product()}\n`,
    'a byte order mark between the rows': `${product()}\n\uFEFF${product()}\n`,
    'UTF-16': Buffer.from(`\uFEFF${product()}\n`, 'utf16le'),
    'compressed bytes': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 10, 10]),
    'bytes that are not text': Buffer.concat([
      Buffer.from(`${product()}\n{"type":"`),
      Buffer.from([0xff, 0xfe, 0xc0, 0xaf]),
    ]),
    'half a character at the end': Buffer.from('{"type":"é').subarray(0, -1),
    'half a line at the end': `${product()}\n${product({ slug: 'second' }).slice(0, -9)}`,
    'lines that are not JSON': 'hello\n<xml/>\n{type: "product"}\n--\nundefined\n',
    '5,000 lines that are not JSON': 'no\n'.repeat(5000),
    'one document in place of lines': JSON.stringify({ mode: 'merge', products: [] }),
    'one document on many lines': JSON.stringify({ mode: 'merge', products: [] }, null, 2),
    'an array of rows': `[${product()}]\n`,
    'two rows on a line': `${product()} ${product({ slug: 'second' })}\n`,
    'carriage returns alone': `${product()}\r${product({ slug: 'second' })}\r`,
    'line separators that NDJSON does not have': `${product()}\u2028${product({ slug: 'second' })}\u0085`,
    'a raw NUL': `${product()}\n\0\n`,
    'a NUL in a text': product({ title: 'a\0b' }),
    'half a surrogate pair': '{"type":"product","data":{"slug":"sample","title":"\\ud800"}}',
    'arrays 2,000 deep': `{"type":"product","data":${nested(2000)}}`,
    'objects 200,000 deep': `{"type":"settings","data":${nestedObjects(200_000)}}`,
    'a line of 10 MB that never ends': Buffer.alloc(TEN_MEGABYTES, 'x'),
    'a line of 10 MB of blanks': Buffer.concat([Buffer.alloc(TEN_MEGABYTES, ' '), Buffer.from('\n')]),
    'a row of 10 MB': product({ title: 'x'.repeat(TEN_MEGABYTES) }),
    'a row of 7 MB': product({ tags: Array.from({ length: 700_000 }, () => 'seventy') }),
    '10 MB of brackets': Buffer.alloc(TEN_MEGABYTES, '['),
    'the same product twice': `${product()}\n${product()}\n`,
    'a type twice': '{"type":"product","type":"end","data":{"rows":0}}',
    'prototype keys': '{"__proto__":{"type":"product"},"type":"product","data":{"__proto__":{"slug":"sample"}}}',
    'an end with a wrong count': `${replaced}\n${product()}\n${row('end', { rows: 7 })}`,
    'an end that is not the end': `${row('end', { rows: 0 })}\n${product()}`,
    'two ends': `${product()}\n${row('end', { rows: 1 })}\n${row('end', { rows: 2 })}`,
    'two modes and a broken row': `${row('import', { mode: 'merge' })}\n${replaced}\n{`,
    'a mode at the end and a broken row': `${product()}\n{\n${replaced}`,
    'a collection of unknown products': row('collection', {
      slug: 'sample',
      name: 'Sample',
      products: Array.from({ length: 20_000 }, (_, index) => `none-${index}`),
    }),
    discounts: row('discount', { code: 'ALL' }),
  }),
  ...[
    'null',
    '0',
    '""',
    '[]',
    '{}',
    '{"type":null}',
    '{"type":"product"}',
    '{"data":{}}',
    '{"type":["product"],"data":{}}',
  ].map((line) => ({ name: line, type: NDJSON, body: `${line}\n` })),
  ...['', 'products', 'PRODUCT', 'order', '__proto__', 'constructor', 'toString', 'x'.repeat(9000)].map((type) => ({
    name: `a row of the type ${type.slice(0, 20)}`,
    type: NDJSON,
    body: row(type, { slug: 'sample' }),
  })),
  ...VALUES.flatMap((value) =>
    ['product', 'settings', 'library', 'import', 'end'].map((type) => ({
      name: `${type} rows`,
      type: NDJSON,
      body: `{"type":"${type}","data":${value}}\n`,
    })),
  ),
  ...['-1', '0.5', '1e400', '9007199254740993', '"1"', 'null'].map((rows) => ({
    name: 'an end with a strange count',
    type: NDJSON,
    body: `${product()}\n{"type":"end","data":{"rows":${rows}}}`,
  })),
  ...withTypes(NDJSON_FITTING, [
    `${NDJSON}; charset=utf-16`,
    `${NDJSON}; charset=`,
    `${NDJSON};;;`,
    `${NDJSON}; ${'x'.repeat(4000)}=1`,
  ]),
  ...withWrongLengths(NDJSON_FITTING),
]

const CSV = 'text/csv'
const CSV_HEADER = 'Handle,Title,Variant Price'
const csv = (...lines: string[]) => [CSV_HEADER, ...lines, ''].join('\n')

const CSV_FITTING: HostileBody = { name: 'a table', type: CSV, body: csv('sample,Sample,1.00') }

const OWN_NAMES = 'Nummer,Name,Preis,Farbe\nS-1,Sample,1.00,Red\n'
const fitted = { Nummer: 'Handle', Name: 'Title', Preis: 'Variant Price' }

/** What columns of other names may be said to mean. */
const HOSTILE_COLUMNS: readonly string[] = [
  ...VALUES,
  '',
  '{',
  '{"Preis":"Variant Price","Farbe":"Variant Price"}',
  '{"Preis":"Variant Price","preis":"Title"}',
  '{"__proto__":"Title"}',
  '{"Name":"__proto__"}',
  '{"Name":"constructor"}',
  '{"Name":"specs.__proto__"}',
  '{"Name":"specs."}',
  '{"Name":{"toString":"Title"}}',
  '{"\\ud800":"Title"}',
  '{"a\\u0000b":"Title"}',
  '{"":"Title"}',
  JSON.stringify({ ...fitted, Farbe: 'Option3 Value' }),
  JSON.stringify({ ...fitted, Farbe: 'specs.fabric' }),
  JSON.stringify({ ...fitted, none: null }),
  JSON.stringify({ ...fitted, Farbe: 'x'.repeat(19_000) }),
  JSON.stringify({ ...fitted, Farbe: 'x'.repeat(30_000) }),
  JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`c${index}`, null]))),
]

const HOSTILE_CSV: readonly HostileBody[] = [
  ...HOSTILE_COLUMNS.map((columns) => ({ name: 'columns', type: CSV, body: OWN_NAMES, query: { columns } })),
  ...bodiesOf(CSV, {
    'an empty body': '',
    'blank lines': '\n\r\n\n',
    'a byte order mark alone': '\uFEFF',
    'a header alone': CSV_HEADER,
    'rows without a header': 'sample,Sample,1.00\n',
    'a header that lacks a column': 'Handle,Title\nsample,Sample\n',
    semicolons: csv('sample,Sample,1.00').replaceAll(',', ';'),
    tabs: csv('sample,Sample,1.00').replaceAll(',', '\t'),
    JSON: '{"mode":"replace"}',
    'rows of NDJSON': product(),
    'a quotation mark that is never closed': csv('sample,"Sample,1.00', 'second,Second,1.00'),
    'a quotation mark that is never closed in the header': `"${csv('sample,Sample,1.00')}`,
    'a quotation mark in the middle': csv('sample,Sam"ple,1.00'),
    'text behind a quotation mark': csv('sample,"Sample"!,1.00'),
    'quotation marks alone': '"'.repeat(10_001),
    '10 MB in quotation marks': Buffer.concat([Buffer.from(`${CSV_HEADER}\n"`), Buffer.alloc(TEN_MEGABYTES, 'x')]),
    'a line of 10 MB': Buffer.concat([Buffer.from(`${CSV_HEADER}\n`), Buffer.alloc(TEN_MEGABYTES, 'x,')]),
    'a header of 10 MB': Buffer.alloc(TEN_MEGABYTES, 'Handle,'),
    '5,000 columns': `${CSV_HEADER},${Array.from({ length: 5000 }, (_, index) => `c${index}`).join()}\n${'sample,'.repeat(5003)}\n`,
    'a row of 100,000 cells': csv(`sample,Sample,1.00${','.repeat(100_000)}`),
    'a row of one cell': csv('sample'),
    '2,100 rows of one product': csv(...Array.from({ length: 2100 }, () => 'sample,Sample,1.00')),
    '1,000 broken rows': csv(...Array.from({ length: 1000 }, (_, index) => `p${index},,x`)),
    'the same column twice': `${CSV_HEADER},Title,Handle,Variant Price\nsample,Sample,1.00,Other,second,2.00\n`,
    'columns without a name': `${CSV_HEADER},,,\nsample,Sample,1.00,1,2,3\n`,
    'prototype columns': `${CSV_HEADER},__proto__,constructor,toString\nsample,Sample,1.00,1,2,3\n`,
    'a product twice': csv('sample,Sample,1.00', 'second,Second,1.00', 'sample,Sample,2.00'),
    'carriage returns alone': csv('sample,Sample,1.00').replaceAll('\n', '\r'),
    'ends of lines of all kinds': `${CSV_HEADER}\r\nsample,Sample,1.00\rsecond,Second,1.00\n\r`,
    'a NUL': csv('sample,a\0b,1.00'),
    'bytes that are not text': Buffer.concat([Buffer.from(`${CSV_HEADER}\nsample,`), Buffer.from([0xff, 0xc0, 0xaf])]),
    'half a character at the end': Buffer.from(csv('sample,é')).subarray(0, -2),
    'UTF-16': Buffer.from(`\uFEFF${csv('sample,Sample,1.00')}`, 'utf16le'),
    'compressed bytes': Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 10, 10]),
  }),
  ...['', '-1', '1e3', '1,5', '1.005', '0.001', 'NaN', 'Infinity', '0x10', '$1', '=1+1', '9'.repeat(400), '\u0661'].map(
    (price) => ({ name: 'a strange price', type: CSV, body: csv(`sample,Sample,"${price}"`) }),
  ),
  ...STRINGS.filter((text) => !text.includes('\0')).map((text) => ({
    name: 'a strange cell',
    type: CSV,
    body: csv(`"${text}",Sample,1.00`, `sample,"${text}",1.00`),
  })),
  ...withTypes(CSV_FITTING, [
    `${CSV}; charset=utf-16`,
    `${CSV}; charset=__proto__`,
    `${CSV}; charset="`,
    `${CSV}; charset=${'x'.repeat(4000)}`,
    `${CSV}; header=absent`,
  ]),
  ...withWrongLengths(CSV_FITTING),
]

const FORM = 'multipart/form-data'
const BOUNDARY = 'the-boundary'
const FORM_TYPE = `${FORM}; boundary=${BOUNDARY}`

/** One white pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
)

const part = (headers: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
const field = (name: string, value: string | Buffer) => part(`content-disposition: form-data; name="${name}"`, value)
const file = (content: string | Buffer = PICTURE, name = 'picture.png', field = 'file', more = '') =>
  part(`content-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: image/png${more}`, content)

const FORM_FITTING: HostileBody = { name: 'a picture', type: FORM_TYPE, body: form(field('alt', 'A pixel'), file()) }

const HOSTILE_FORMS: readonly HostileBody[] = [
  ...bodiesOf(FORM_TYPE, {
    'an empty body': '',
    'no parts': form(),
    'a beginning alone': `--${BOUNDARY}`,
    'hyphens alone': '-'.repeat(100_000),
    'no end': form(file()).subarray(0, -BOUNDARY.length - 6),
    'half a picture': form(file()).subarray(0, 150),
    'half a header': form(file()).subarray(0, 60),
    'something before the parts': Buffer.concat([Buffer.alloc(TEN_MEGABYTES, 'x'), form(file())]),
    'something behind the parts': Buffer.concat([form(file()), Buffer.alloc(TEN_MEGABYTES, 'x')]),
    'line feeds alone': form(file()).toString('latin1').replaceAll('\r\n', '\n'),
    'another boundary': form(file()).toString('latin1').replaceAll(BOUNDARY, 'another'),
    'the boundary 20,000 times': `--${BOUNDARY}\r\n`.repeat(20_000),
    'the same picture twice': form(file(), file()),
    'one picture under two texts': form(field('alt', 'One'), field('alt', 'Two'), file()),
    'eleven files': form(...Array.from({ length: 11 }, () => file())),
    'a hundred fields': form(...Array.from({ length: 100 }, (_, index) => field(`f${index}`, 'x')), file()),
    'a text in place of the file': form(field('file', 'text')),
    'a file in place of the text': form(file(), file(PICTURE, 'alt.png', 'alt')),
    'an unknown field': form(field('unknown', 'x'), file()),
    'prototype fields': form(field('__proto__', 'x'), field('constructor', 'x'), file()),
    'a prototype file': form(file(PICTURE, 'picture.png', '__proto__')),
    'a part without headers': form(part('', 'x')),
    'a part without a name': form(part('content-disposition: form-data', 'x')),
    'a part of another kind': form(part('content-disposition: attachment; name="file"', 'x')),
    'a part of parts': form(
      part('content-disposition: form-data; name="file"\r\ncontent-type: multipart/mixed; boundary=inner', '--inner--'),
    ),
    'headers of a part that have no end': form(part(`x-long: ${'x'.repeat(1_000_000)}`, 'x')),
    '2,000 headers of a part': form(
      part(Array.from({ length: 2000 }, (_, index) => `x-${index}: 1`).join('\r\n'), 'x'),
    ),
    'a header of a part without a colon': form(part('content-disposition form-data', 'x'), file()),
    'an unknown encoding': form(file(PICTURE, 'a.png', 'file', '\r\ncontent-transfer-encoding: x-none')),
    'a text that calls itself JSON': form(
      part('content-disposition: form-data; name="alt"\r\ncontent-type: application/json', nested(2000)),
      file(),
    ),
    'a text in an unknown character set': form(
      part('content-disposition: form-data; name="alt"\r\ncontent-type: text/plain; charset=x-none', 'x'),
      file(),
    ),
    'a name that is cut off': form(part(`content-disposition: form-data; name="file"; filename*=utf-8''%ff%`, PICTURE)),
    'an empty file': form(file('')),
    'a file of 10 MB of nothing': form(file(Buffer.alloc(TEN_MEGABYTES))),
    'a page as a picture': form(file('<html><script>alert(1)</script></html>', 'a.html')),
    'a drawing that reads files': form(
      file('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>'),
    ),
    'the beginning of a picture': form(file(PICTURE.subarray(0, 40))),
    'a picture with a wrong sum': form(file(Buffer.concat([PICTURE.subarray(0, 20), Buffer.alloc(50, 1)]))),
    'too much': form(file(Buffer.alloc(22 * 1024 * 1024))),
    'a text that is too long': form(field('alt', 'x'.repeat(5000)), file()),
    'a text of bytes': form(field('alt', Buffer.from([0xff, 0xfe, 0x00])), file()),
  }),
  ...STRINGS.filter((text) => !text.includes('\r')).flatMap((text) => [
    { name: 'a strange text', type: FORM_TYPE, body: form(field('alt', text), file()) },
    { name: 'a strange name of a file', type: FORM_TYPE, body: form(file(PICTURE, text)) },
    { name: 'a strange name of a field', type: FORM_TYPE, body: form(field(text, 'x'), file(PICTURE, 'a', text)) },
  ]),
  ...withTypes(FORM_FITTING, [
    FORM,
    `${FORM}; boundary=`,
    `${FORM}; boundary=""`,
    `${FORM}; boundary="${BOUNDARY}`,
    `${FORM}; boundary=another`,
    `${FORM}; boundary=${'x'.repeat(4000)}`,
    `${FORM}; boundary=${BOUNDARY}; boundary=another`,
    `multipart/mixed; boundary=${BOUNDARY}`,
    `multipart/form-data-x; boundary=${BOUNDARY}`,
  ]),
  ...withWrongLengths(FORM_FITTING),
]

/** The bodies by the content type that the description of an operation names. */
export const BODIES_OF: Readonly<Record<string, HostileBodies>> = {
  [NDJSON]: { fitting: NDJSON_FITTING, hostile: HOSTILE_NDJSON },
  [CSV]: { fitting: CSV_FITTING, hostile: HOSTILE_CSV },
  [FORM]: { fitting: FORM_FITTING, hostile: HOSTILE_FORMS },
}
