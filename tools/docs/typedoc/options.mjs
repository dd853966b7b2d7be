// The properties of options, in whatever way their type is put together: TypeDoc shows its name.
import {
  DeclarationReflection,
  IntrinsicType,
  ReflectionFlag,
  ReflectionKind,
  ReflectionType,
  UnionType,
} from 'typedoc';
import ts from 'typescript';

export function expandOptions(context, signature, _node, given) {
  for (const [i, parameter] of (signature.parameters ?? []).entries()) {
    if (!/^(options|settings)$/.test(parameter.name)) continue;
    const inside = context.withScope(signature).withScope(parameter);
    parameter.type = expanded(inside, given.parameters[i]) ?? parameter.type;
  }
}

function expanded(context, symbol) {
  const { checker, scope, project } = context;
  const properties = checker.getNonNullableType(checker.getTypeOfSymbol(symbol)).getProperties();
  if (properties.length === 0) return undefined;
  const literal = new DeclarationReflection('__type', ReflectionKind.TypeLiteral, scope);
  project.registerReflection(literal);
  const inside = context.withScope(literal);
  literal.children = properties.map((property) => childOf(inside, property));
  return new ReflectionType(literal);
}

function childOf(context, property) {
  const child = new DeclarationReflection(property.name, ReflectionKind.Property, context.scope);
  context.project.registerReflection(child);
  child.comment = context.getComment(property, ReflectionKind.Property);
  child.setFlag(ReflectionFlag.Optional, Boolean(property.flags & ts.SymbolFlags.Optional));
  const [declaration] = property.declarations ?? [];
  const type = context.converter.convertType(
    context.withScope(child),
    context.checker.getTypeOfSymbol(property),
    declaration?.typeExpression?.type ?? declaration?.type,
  );
  child.type = child.flags.isOptional ? withoutUndefined(type) : type;
  return child;
}

function withoutUndefined(type) {
  if (!(type instanceof UnionType)) return type;
  const isDefined = (one) => !(one instanceof IntrinsicType && one.name === 'undefined');
  const types = type.types.filter(isDefined);
  return types.length === 1 ? types[0] : new UnionType(types);
}
