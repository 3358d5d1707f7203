/*
 * The language of filters and projections. What parses here may still be refused when the tree is
 * built: several constructs are allowed only inside the arguments of a function.
 */
grammar FilterGrammar;

options {
  caseInsensitive = true;
  superClass = NestingLimitedParser;
}

filter
  : booleanExpression ';'? EOF
  ;

booleanExpression
  : valueExpression predicate*                             # predicated
  | NOT booleanExpression                                  # negated
  | booleanExpression AND booleanExpression                # conjunction
  | booleanExpression XOR booleanExpression                # exclusiveDisjunction
  | booleanExpression OR booleanExpression                 # disjunction
  ;

predicate
  : operator = comparisonOperator valueExpression                          # comparison
  | IS NOT? (NULL | TRUE | FALSE | UNKNOWN)                                # isTest
  | IS NOT? DISTINCT FROM valueExpression                                  # distinctFrom
  | NOT? IN primaryExpression                                              # membership
  | NOT? BETWEEN low = valueExpression AND high = valueExpression          # range
  | NOT? (LIKE | ILIKE) valueExpression (ESCAPE STRING)?                   # pattern
  | NOT? SIMILAR TO valueExpression (ESCAPE STRING)?                       # similar
  | NOT? (RLIKE | REGEXP) valueExpression                                  # regularExpression
  ;

comparisonOperator
  : EQ | NE | LT | LE | GT | GE | TILDE | MATCH_OPERATOR | OTHER_OPERATOR
  ;

valueExpression
  : primaryExpression                                                             # primary
  | operator = (MINUS | PLUS | TILDE) valueExpression                             # signed
  | left = valueExpression operator = (STAR | SLASH | PERCENT) right = valueExpression   # product
  | left = valueExpression operator = (PLUS | MINUS | CONCAT) right = valueExpression    # sum
  | left = valueExpression operator = BITWISE right = valueExpression             # bitwise
  ;

primaryExpression
  : literal                                                                       # literalValue
  | INTERVAL (STRING | NUMBER) unit = IDENTIFIER?                                 # interval
  | typeName STRING                                                               # typedLiteral
  | CASE operand = booleanExpression? whenClause+ (ELSE otherwise = booleanExpression)? END   # caseExpression
  | (CAST | TRY_CAST | SAFE_CAST) '(' booleanExpression AS typeName ')'           # cast
  | EXISTS '(' SELECT (~')')* ')'                                                 # subQuery
  | identifier '(' trimSide = (BOTH | LEADING | TRAILING)? arguments? ')'         # call
  | '[' (valueExpression (',' valueExpression)*)? ']'                             # array
  | '(' booleanExpression (',' booleanExpression)* ')'                            # parenthesized
  | '(' SELECT (~')')* ')'                                                        # subQuery
  | identifier                                                                    # column
  | PLACEHOLDER                                                                   # placeholder
  | primaryExpression '[' valueExpression ']'                                     # subscript
  | primaryExpression '.' identifier                                              # fieldAccess
  | primaryExpression CAST_OPERATOR typeName                                      # castOperator
  ;

arguments
  : booleanExpression (FROM booleanExpression (FOR booleanExpression)? | (',' booleanExpression)*)
  ;

whenClause
  : WHEN condition = booleanExpression THEN result = booleanExpression
  ;

literal
  : NUMBER | STRING | BINARY | HEXADECIMAL | NULL | TRUE | FALSE
  ;

typeName
  : identifier (UNSIGNED | PRECISION | VARYING)? ('(' NUMBER (',' NUMBER)? ')')? (WITH TIME ZONE | WITHOUT TIME ZONE)? UNSIGNED?
  ;

/* Words of the grammar that can also name a column or a function. */
identifier
  : IDENTIFIER | QUOTED_IDENTIFIER
  | SELECT | FROM | FOR | AS | TO | ESCAPE | UNKNOWN | DISTINCT | SIMILAR | RLIKE | REGEXP | INTERVAL | TIME
  | ZONE | WITH | WITHOUT | UNSIGNED | PRECISION | VARYING | BOTH | LEADING | TRAILING | EXISTS | CAST
  | TRY_CAST | SAFE_CAST | XOR
  ;

AND : 'and';
OR : 'or';
XOR : 'xor';
NOT : 'not';
IS : 'is';
IN : 'in';
BETWEEN : 'between';
LIKE : 'like';
ILIKE : 'ilike';
SIMILAR : 'similar';
RLIKE : 'rlike';
REGEXP : 'regexp';
ESCAPE : 'escape';
TO : 'to';
NULL : 'null';
TRUE : 'true';
FALSE : 'false';
UNKNOWN : 'unknown';
DISTINCT : 'distinct';
FROM : 'from';
FOR : 'for';
AS : 'as';
CASE : 'case';
WHEN : 'when';
THEN : 'then';
ELSE : 'else';
END : 'end';
CAST : 'cast';
TRY_CAST : 'try_cast';
SAFE_CAST : 'safe_cast';
INTERVAL : 'interval';
EXISTS : 'exists';
SELECT : 'select';
BOTH : 'both';
LEADING : 'leading';
TRAILING : 'trailing';
TIME : 'time';
ZONE : 'zone';
WITH : 'with';
WITHOUT : 'without';
UNSIGNED : 'unsigned';
PRECISION : 'precision';
VARYING : 'varying';

EQ : '=' '='?;
NE : '!=' | '<>';
LE : '<=';
GE : '>=';
LT : '<';
GT : '>';
CAST_OPERATOR : '::';
CONCAT : '||';
PLUS : '+';
MINUS : '-';
STAR : '*';
SLASH : '/';
PERCENT : '%';
TILDE : '~';
MATCH_OPERATOR : '~*' | '!~' | '!~*';
BITWISE : '&' | '|' | '^';
OTHER_OPERATOR : '<<' | '>>' | '<=>' | ':=' | '->' | '->>' | '#>' | '#>>' | '@>' | '<@' | '@@';
PLACEHOLDER : '?' | '$' [0-9a-z_]+;

/* A number ends where it stops being one, so that `5and` is a number and a word. */
NUMBER : ([0-9]+ ('.' [0-9]*)? | '.' [0-9]+) ('e' [+-]? [0-9]+)?;
HEXADECIMAL : '0x' [0-9a-f]*;
BINARY : 'x\'' ~'\''* '\'';
/* Both quotes delimit strings; back-ticks delimit identifiers. */
STRING : '\'' (~'\'' | '\'\'')* '\'' | '"' (~'"' | '""')* '"';
QUOTED_IDENTIFIER : '`' (~'`' | '``')* '`';
IDENTIFIER : [\p{Alphabetic}_@#] [\p{Alphabetic}\p{Nd}_@#$]*;

LINE_COMMENT : '--' ~[\r\n]* -> skip;
BLOCK_COMMENT : '/*' .*? '*/' -> skip;
SPACE : [\p{White_Space}]+ -> skip;
UNTERMINATED : '\'' ~'\''* | '"' ~'"'* | '`' ~'`'*;
OTHER : .;
