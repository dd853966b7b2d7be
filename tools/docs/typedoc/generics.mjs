// Puts what type parameters extend in their place: `x: Operand` for `<X extends Operand>(x: X)`.
import { ArrayType, MappedType, ReferenceType, TypeOperatorType, UnionType } from 'typedoc';

/** @param {import('typedoc').Reflection} one */
export function settle(one) {
  // TypeDoc gives typedefs a list without any, and shows it.
  if (one.typeParameters?.length === 0) one.typeParameters = undefined;
  if (!one.isSignature() || one.typeParameters === undefined) return;
  const limits = new Map(one.typeParameters.map((parameter) => [parameter.name, parameter]));
  one.typeParameters = undefined;
  const inside = one.parameters ?? [];
  one.type = settled(one.type, limits, true);
  for (const child of inside.flatMap((each) => [
    each,
    ...(each.type?.declaration?.children ?? []),
  ])) {
    child.type = settled(child.type, limits);
  }
}

/** @param {boolean} [isResult]  which is what the parameter is when it is left out */
function settled(type, limits, isResult) {
  const inner = (one) => settled(one, limits, isResult);
  const isParameter = (one) => one instanceof ReferenceType && limits.has(one.name);
  if (isParameter(type)) {
    const { type: limit, default: fallback } = limits.get(type.name);
    const to = (isResult && fallback) || limit;
    return to ? inner(to) : type;
  }
  if (type instanceof ReferenceType) {
    if (type.name === 'NoInfer') return inner(type.typeArguments[0]);
    const given = type.typeArguments;
    type.typeArguments = given?.some(isParameter) ? undefined : given?.map(inner);
  }
  if (type instanceof UnionType) type.types = type.types.map(inner);
  if (type instanceof ArrayType) type.elementType = inner(type.elementType);
  if (type instanceof TypeOperatorType) type.target = inner(type.target);
  if (type instanceof MappedType) type.templateType = inner(type.templateType);
  return type;
}
