import { SymbolFlags, type Project, type Symbol as Named } from 'typescript/unstable/sync'
import * as ast from 'typescript/unstable/ast'

/** An expression, and what the parameters around it stand for. */
interface Value {
  node: ast.Node
  scope: Scope
}
type Scope = ReadonlyMap<ast.Node, Value>

class UnknownText extends Error {}

/**
 * Writes the SQL of a template as kysely sends it: fragments by their text, other values as `$1`. Of two alternatives
 * it writes the second one, and of a list that is made at run time one element: neither changes the columns.
 * @throws Error that names the part that depends on more than the source says
 */
export function templateText(project: Project, template: ast.TaggedTemplateExpression): string {
  return new TextReader(project).textOf({ node: template, scope: new Map() })
}

/** Reads text from the source, and counts the parameters in it. */
class TextReader {
  readonly #project: Project
  #parameters = 0

  constructor(project: Project) {
    this.#project = project
  }

  textOf(value: Value): string {
    const { node, scope } = this.#follow(value)
    if (ast.isTaggedTemplateExpression(node)) {
      const { template } = node
      if (ast.isNoSubstitutionTemplateLiteral(template)) return template.text
      if (!ast.isTemplateExpression(template)) throw unknown(node)
      const spans = template.templateSpans.map(
        (span) => this.#spanText({ node: span.expression, scope }) + span.literal.text,
      )
      return [template.head.text, ...spans].join('')
    }
    if (ast.isCallExpression(node) && ast.isPropertyAccessExpression(node.expression)) {
      const [first, second] = node.arguments
      if (first === undefined) throw unknown(node)
      const argument = { node: first, scope }
      switch (node.expression.name.text) {
        case 'raw':
          return this.#stringOf(argument)
        case 'table':
        case 'ref':
          return this.#stringOf(argument)
            .split('.')
            .map((name) => `"${name}"`)
            .join('.')
        case 'join':
          return this.#elementsOf(argument)
            .map((element) => this.#spanText(element))
            .join(second === undefined ? ', ' : this.textOf({ node: second, scope }))
      }
    }
    throw unknown(node)
  }

  #spanText(value: Value): string {
    if (this.#isFragment(value.node)) return this.textOf(value)
    this.#parameters += 1
    return `$${this.#parameters}`
  }

  #isFragment(node: ast.Node): boolean {
    const type = this.#project.checker.getTypeAtLocation(node)
    return type !== undefined && this.#project.checker.getPropertyOfType(type, 'toOperationNode') !== undefined
  }

  #stringOf(value: Value): string {
    const found = attempt(() => this.#follow(value))
    if (found === undefined) {
      const type = this.#project.checker.getTypeAtLocation(value.node)
      const literal = type?.isUnionType() ? type.getTypes()[0] : type
      if (literal?.isStringLiteralType()) return literal.value
      throw unknown(value.node)
    }
    const { node, scope } = found
    if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text
    if (ast.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(
        (span) => this.#stringOf({ node: span.expression, scope }) + span.literal.text,
      )
      return [node.head.text, ...spans].join('')
    }
    throw unknown(node)
  }

  #elementsOf(value: Value): Value[] {
    const { node, scope } = this.#follow(value)
    if (ast.isArrayLiteralExpression(node)) {
      return node.elements.flatMap((element) =>
        ast.isSpreadElement(element)
          ? this.#elementsOf({ node: element.expression, scope })
          : [{ node: element, scope }],
      )
    }
    if (ast.isCallExpression(node) && ast.isPropertyAccessExpression(node.expression)) {
      const list = { node: node.expression.expression, scope }
      const [callback] = node.arguments
      if (node.expression.name.text === 'filter') return this.#elementsOf(list)
      if (node.expression.name.text === 'map' && callback !== undefined && ast.isArrowFunction(callback)) {
        return (
          attempt(() => this.#elementsOf(list).map((element) => this.#call(callback, [element], scope))) ?? [
            this.#call(callback, [], scope),
          ]
        )
      }
    }
    throw unknown(node)
  }

  /** Follows names, calls and alternatives to the expression that makes the value. */
  #follow(value: Value): Value {
    const { node, scope } = value
    if (ast.isParenthesizedExpression(node) || ast.isAwaitExpression(node) || ast.isAsExpression(node)) {
      return this.#follow({ node: node.expression, scope })
    }
    if (ast.isConditionalExpression(node)) {
      return this.#isMissing(node.condition, scope)
        ? this.#follow({ node: node.whenTrue, scope })
        : this.#either(node.whenFalse, node.whenTrue, scope)
    }
    if (ast.isBinaryExpression(node)) return this.#either(node.right, node.left, scope)
    if (ast.isIdentifier(node))
      return node.text === 'undefined'
        ? value
        : this.#follow(this.#declared(this.#project.checker.getSymbolAtLocation(node), node, scope))
    if (ast.isPropertyAccessExpression(node)) {
      return this.#follow(this.#property(this.#follow({ node: node.expression, scope }), node.name.text))
    }
    if (ast.isElementAccessExpression(node)) {
      const key = this.#stringOf({ node: node.argumentExpression, scope })
      return this.#follow(this.#property(this.#follow({ node: node.expression, scope }), key))
    }
    if (ast.isCallExpression(node)) {
      const callee = node.expression
      if (ast.isPropertyAccessExpression(callee)) return value
      const target = this.#follow({ node: callee, scope })
      if (!ast.isArrowFunction(target.node) && !ast.isFunctionDeclaration(target.node)) throw unknown(node)
      const given = node.arguments.map((argument) => ({ node: argument, scope }))
      return this.#follow(this.#call(target.node, given, target.scope))
    }
    return value
  }

  #call(target: ast.ArrowFunction | ast.FunctionDeclaration, given: readonly Value[], outer: Scope): Value {
    const scope = new Map(outer)
    target.parameters.forEach((parameter, index) => {
      const argument = given[index]
      if (argument !== undefined) scope.set(parameter, argument)
    })
    const { body } = target
    if (body === undefined) throw unknown(target)
    if (!ast.isBlock(body)) return { node: body, scope }
    const returned = body.statements.findLast(ast.isReturnStatement)?.expression
    if (returned === undefined) throw unknown(target)
    return { node: returned, scope }
  }

  /** What a name is declared as, in this file or another. */
  #declared(symbol: Named | undefined, name: ast.Node, scope: Scope): Value {
    const isImported = symbol && (symbol.flags & SymbolFlags.Alias) !== 0
    const node = (isImported ? this.#project.checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration?.resolve(
      this.#project,
    )
    if (node === undefined) throw unknown(name)
    return this.#initial(node, scope)
  }

  #initial(node: ast.Node, scope: Scope): Value {
    if (ast.isFunctionDeclaration(node)) return { node, scope }
    if (ast.isVariableDeclaration(node) && node.initializer !== undefined) return { node: node.initializer, scope }
    if (ast.isVariableDeclaration(node) && ast.isForOfStatement(node.parent.parent)) {
      const [first] = this.#elementsOf({ node: node.parent.parent.expression, scope })
      if (first !== undefined) return first
    }
    if (ast.isParameterDeclaration(node)) {
      const argument = scope.get(node) ?? this.#callerArgument(node)
      if (argument !== undefined) return argument
    }
    if (ast.isBindingElement(node)) {
      const key = node.propertyName ?? node.name
      if (key !== undefined && ast.isIdentifier(key))
        return this.#property(this.#follow(this.#initial(node.parent.parent, scope)), key.text)
    }
    throw unknown(node)
  }

  /** The argument of a call in the same file, for a parameter of a function that was not reached through a call. */
  #callerArgument(parameter: ast.ParameterDeclaration): Value | undefined {
    const target = parameter.parent
    if (!ast.isFunctionDeclaration(target)) return undefined
    const find = (node: ast.Node): Value | undefined => {
      const isCall = ast.isCallExpression(node) && node.expression.getText() === target.name?.text
      const argument = isCall ? node.arguments[target.parameters.indexOf(parameter)] : undefined
      const found = argument && attempt(() => this.#follow({ node: argument, scope: new Map() }))
      return found ?? node.forEachChild(find)
    }
    return find(target.getSourceFile())
  }

  #property({ node, scope }: Value, name: string): Value {
    for (const entry of ast.isObjectLiteralExpression(node) ? node.properties : []) {
      if (ast.isSpreadAssignment(entry) || textOfName(entry.name) !== name) continue
      if (ast.isPropertyAssignment(entry)) return { node: entry.initializer, scope }
      return this.#declared(this.#project.checker.getShorthandAssignmentValueSymbol(entry), entry, scope)
    }
    throw unknown(node)
  }

  #either(one: ast.Node, other: ast.Node, scope: Scope): Value {
    return attempt(() => this.#follow({ node: one, scope })) ?? this.#follow({ node: other, scope })
  }

  /** Whether a condition is `x === undefined`, of a value that is undefined in the source. */
  #isMissing(condition: ast.Node, scope: Scope): boolean {
    if (!ast.isBinaryExpression(condition) || condition.right.getText() !== 'undefined') return false
    return attempt(() => this.#follow({ node: condition.left, scope }))?.node.getText() === 'undefined'
  }
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnknownText) return undefined
    throw error
  }
}

function textOfName(name: ast.Node): string | undefined {
  return ast.isIdentifier(name) || ast.isStringLiteral(name) ? name.text : undefined
}

function unknown(node: ast.Node): UnknownText {
  return new UnknownText(`cannot be read from the source: ${node.getText().slice(0, 80)}`)
}
